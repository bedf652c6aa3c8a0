import { definePlugin, provide, WebPages } from '@signed-registry/core'
import { type Static, Type } from 'typebox'
import { OPERATIONS } from './operations.js'
import { RegistryPages } from './registry-pages.js'

/** Options of `pages`. */
export const PagesOptions = Type.Object(
  {
    /** Path of a logo, SVG or PNG; our own unless given. */
    logo: Type.Optional(Type.String({ pattern: '\\.(svg|png)$' })),
    /** Path of a style sheet that is loaded after ours, to override its variables. */
    style: Type.Optional(Type.String({ pattern: '\\.css$' })),
    /** Path of a folder with texts of the operator: `help`, `contact` and `privacy`, such as `contact.kk.txt`. */
    texts: Type.Optional(Type.String({ minLength: 1 })),
    /** Where to report vulnerabilities: `mailto:`, `https:` and `tel:` addresses, for `/.well-known/security.txt`. */
    securityContacts: Type.Optional(Type.Array(Type.String({ pattern: '^(mailto:|https://|tel:)\\S+$' }))),
    /** True on hosts with development authorities, where anybody may sign as a development person. */
    development: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)
export type PagesOptions = Static<typeof PagesOptions>

/** Plugin: pages for people, in Kazakh, Russian and English. */
export const pages = definePlugin({
  name: 'pages',
  options: PagesOptions,
  parts: (look) => ({
    provides: [provide(WebPages, { inject: OPERATIONS, make: (use) => new RegistryPages(look, use) })],
  }),
})
