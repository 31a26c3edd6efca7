//! Types, taken apart by spelling. References are the one thing that spelling decides; all else is a hint.

use syn::{GenericArgument, Path, PathArguments, Type, TypePath, TypeReference};

/// A type without the invisible groups and parentheses that `macro_rules!` leaves around it.
pub(crate) fn bare(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => bare(&group.elem),
        Type::Paren(paren) => bare(&paren.elem),
        other => other,
    }
}

/// The reference that a type is.
pub(crate) fn reference(ty: &Type) -> Option<&TypeReference> {
    match bare(ty) {
        Type::Reference(reference) => Some(reference),
        _ => None,
    }
}

/// The name and the type arguments of a path's last segment.
pub(crate) fn last(ty: &Type) -> Option<(String, Vec<&GenericArgument>)> {
    let Type::Path(TypePath { qself: None, path, .. }) = bare(ty) else { return None };
    let segment = path.segments.last()?;
    let arguments = match &segment.arguments {
        PathArguments::AngleBracketed(arguments) => arguments.args.iter().collect(),
        _ => Vec::new(),
    };
    Some((segment.ident.to_string(), arguments))
}

/// The one type argument of a path that ends in `name`.
pub(crate) fn argument_of<'a>(ty: &'a Type, name: &str) -> Option<&'a Type> {
    let (last, arguments) = last(ty)?;
    let mut types = arguments.into_iter().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    if last != name {
        return None;
    }
    let first = types.next()?;
    types.next().is_none().then_some(first)
}

/// The path and the type within a borrowing `Cow<'_, U>`.
pub(crate) fn cow(ty: &Type) -> Option<(Path, &Type)> {
    let (name, arguments) = last(ty)?;
    if name != "Cow" {
        return None;
    }
    let within = arguments.into_iter().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })?;
    let Type::Path(TypePath { path, .. }) = bare(ty) else { return None };
    let mut path = path.clone();
    path.segments.last_mut()?.arguments = PathArguments::None;
    Some((path, within))
}

/// The first part of a type that satisfies `wanted`, depth first.
pub(crate) fn find<'a>(ty: &'a Type, wanted: &dyn Fn(&Type) -> bool) -> Option<&'a Type> {
    let ty = bare(ty);
    if wanted(ty) {
        return Some(ty);
    }
    match ty {
        Type::Array(array) => find(&array.elem, wanted),
        Type::Slice(slice) => find(&slice.elem, wanted),
        Type::Reference(reference) => find(&reference.elem, wanted),
        Type::Ptr(pointer) => find(&pointer.elem, wanted),
        Type::Tuple(tuple) => tuple.elems.iter().find_map(|element| find(element, wanted)),
        Type::Path(path) => path.path.segments.iter().find_map(|segment| match &segment.arguments {
            PathArguments::AngleBracketed(arguments) => {
                arguments.args.iter().find_map(|argument| match argument {
                    GenericArgument::Type(ty) => find(ty, wanted),
                    _ => None,
                })
            }
            _ => None,
        }),
        _ => None,
    }
}

/// Whether a part of a type is a lifetime argument other than `'static`.
pub(crate) fn has_lifetime(ty: &Type) -> bool {
    find(ty, &|ty| match ty {
        Type::Path(path) => path.path.segments.iter().any(|segment| match &segment.arguments {
            PathArguments::AngleBracketed(arguments) => arguments.args.iter().any(
                |argument| matches!(argument, GenericArgument::Lifetime(lifetime) if lifetime.ident != "static"),
            ),
            _ => false,
        }),
        _ => false,
    })
    .is_some()
}

/// The last segment of a path type is this identifier, without arguments.
pub(crate) fn is_named(ty: &Type, name: &str) -> bool {
    last(ty).is_some_and(|(last, arguments)| last == name && arguments.is_empty())
}
