import { type Html, html } from '../html.js'
import type { Visit } from '../visit.js'

/** A field that opens a document by what people have of it. */
export const findForm = ({ texts: { front: text } }: Visit): Html =>
  html`<form class="find" action="/find" method="get" role="search">
<label for="id">${text.findTitle}</label>
<div class="row"><input id="id" name="id" type="text" placeholder="${text.findLabel}" autocomplete="off" spellcheck="false" required><button>${text.findAction}</button></div></form>`
