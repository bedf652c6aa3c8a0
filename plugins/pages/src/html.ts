import { Html, html } from '@signed-registry/core/html'

export { Html, html }

/** Trusted markup from elsewhere, inserted without escaping. */
export const raw = (text: string): Html => new Html(text)

/** Empty markup. */
export const nothing = new Html('')
