import { Html, html } from '@signed-registry/core/html'

export { Html, html }

/** Markup that is made elsewhere and is safe to show. */
export const raw = (text: string): Html => new Html(text)

/** Nothing at all. */
export const nothing = new Html('')
