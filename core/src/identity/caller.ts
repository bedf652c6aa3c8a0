/** Who calls a use case. */
export type Caller = { readonly kind: 'anonymous' }

export const anonymous: Caller = { kind: 'anonymous' }
