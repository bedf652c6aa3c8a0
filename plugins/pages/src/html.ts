import { html, raw } from 'hono/html'

/** A piece of a page. What is put into a template is escaped, unless it is a piece itself. */
export type Html = ReturnType<typeof html>

export { html, raw }

/** Nothing at all. */
export const nothing = html``
