import { createHash } from 'node:crypto'
import { type Registry, requestErrors, Unsubscribing, unsubscribeWords } from '@signed-registry/core'
import type { FastifyInstance } from 'fastify'
import { isForged, type Origins } from './origins.js'

const STYLE = `:root{color-scheme:light dark}body{margin:0;font:16px/1.5 system-ui,'Segoe UI',Roboto,'Liberation Sans',sans-serif;background:Canvas;color:CanvasText}main{max-width:34rem;margin:0 auto;padding:2rem 1rem}section{margin:0 0 2rem}h1{font-size:1.4rem;line-height:1.3}button{font:inherit;padding:.6rem 1.2rem;border:0;border-radius:6px;background:#0b5c66;color:#fff;cursor:pointer}button:focus-visible{outline:3px solid #b45309;outline-offset:2px}`
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')
/** Forms may be sent to this page only, and no script runs. */
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`
/** Mail programs send a short form, in either encoding (RFC 8058 section 3.2). */
const MAX_BODY = 4096
const LANGUAGES = ['ru', 'kk', 'en'] as const
type Language = (typeof LANGUAGES)[number]
/** What the buttons of the page send; mail programs send `List-Unsubscribe=One-Click`. */
const BUTTONS = new Map<string, 'refuse' | 'accept'>([
  ['answer=refuse', 'refuse'],
  ['answer=accept', 'accept'],
])
export const UNSUBSCRIBE_PATH = '/unsubscribe/:token'

interface Link {
  Params: { token: string }
}

/**
 * Handles the unsubscribe link of mails: one POST by a mail program unsubscribes at once; whoever presses a button on the page is
 * redirected back to it.
 */
export function handleUnsubscribe(app: FastifyInstance, registry: Registry, origins: Origins): void {
  app.register(async (scope) => {
    scope.addHook('onRequest', (request, _reply, done) =>
      done(isForged(request, origins) ? requestErrors.error('foreignOrigin') : undefined),
    )
    const unsubscribing = registry.get(Unsubscribing)
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MAX_BODY }, (_request, body, done) => {
      done(null, body)
    })
    scope.post<Link>(UNSUBSCRIBE_PATH, { schema: { hide: true } }, async (request, reply) => {
      const { token } = request.params
      const pressed = BUTTONS.get(String(request.body ?? ''))
      const isOurs = await (pressed === 'accept' ? unsubscribing.accept(token) : unsubscribing.refuse(token))
      reply.header('cache-control', 'no-store')
      if (!isOurs) throw requestErrors.error('invalidRoute')
      if (pressed === undefined) return reply.code(200).send()
      return reply.redirect(`/unsubscribe/${token}${pressed === 'accept' ? '?accepted' : ''}`, 303)
    })
  })
}

/** The confirmation page for people who open the link, on hosts without pages. */
export function serveUnsubscribePage(app: FastifyInstance, registry: Registry): void {
  const unsubscribing = registry.get(Unsubscribing)
  app.get<Link>(UNSUBSCRIBE_PATH, { schema: { hide: true } }, async ({ params, query, headers }, reply) => {
    const link = await unsubscribing.find(params.token)
    const language = languageOf(headers['accept-language'])
    return (
      reply
        .code(link === undefined ? 404 : 200)
        .header('content-security-policy', POLICY)
        .header('cache-control', 'no-store')
        // With `no-referrer` browsers would send `Origin: null` with its form.
        .header('referrer-policy', 'same-origin')
        .type('text/html; charset=utf-8')
        .send(page(language, link, Object.hasOwn(Object(query), 'accepted')))
    )
  })
}

/** The first language that the browser prefers and we have; otherwise Russian. */
function languageOf(accepted = ''): Language {
  const wanted = accepted.split(',').map((one) => one.trim().slice(0, 2).toLowerCase())
  return wanted.flatMap((one) => LANGUAGES.find((language) => language === one) ?? [])[0] ?? 'ru'
}

function page(language: Language, link: Awaited<ReturnType<Unsubscribing['find']>>, accepted: boolean): string {
  const words = unsubscribeWords[language]
  const { title } = words
  const button = (answer: string, label: string) =>
    `<form method="post" action="?"><button name="answer" value="${answer}">${label}</button></form>`
  const told = link?.isRefused ? words.refused : accepted ? words.accepted : words.ask
  const body =
    link === undefined
      ? `<p>${words.unknown}</p>`
      : `<p>${told}</p><p><strong>${words.kinds[link.kind]}</strong></p>${
          link.isRefused ? button('accept', words.acceptAgain) : button('refuse', words.refuse)
        }`
  return `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${STYLE}</style>
<main><h1>${title}</h1>${body}</main>
</html>
`
}
