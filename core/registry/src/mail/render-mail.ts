import { Html, html } from '../web/index.js'

/** Languages that mails are written in. */
const MAIL_LANGUAGES = ['ru', 'kk', 'en'] as const
export type Language = (typeof MAIL_LANGUAGES)[number]

/** The languages of a tag such as `kk/en`, each once. */
export function languagesOf(tag: string): Language[] {
  const wanted = new Set(tag.split('/'))
  return [...wanted].flatMap((one) => MAIL_LANGUAGES.find((language) => language === one) ?? [])
}

/** An organization as it wants to be shown above its mails. */
export interface Letterhead {
  /** As the organization wrote it; rendering sanitizes it. */
  readonly name: string
  /** Beside the name, since anybody may call themselves anything. */
  readonly businessId: string
  /** `#rrggbb`. */
  readonly color?: string | undefined
  readonly logoUrl?: string | undefined
}

/** A mail's text in one language. Users' text is raw here; rendering sanitizes it. */
export interface Block {
  readonly language: Language
  /** Of the organization that it comes from, if that wants to be shown. */
  readonly letterhead?: Letterhead | undefined
  readonly subject: string
  readonly heading: string
  readonly line: string
  readonly facts: readonly { readonly label: string; readonly value: string }[]
  readonly action: { readonly label: string; readonly url: string }
  /** Why originals are missing. */
  readonly notes: readonly string[]
  /** Why the recipient gets it. */
  readonly reason: string
  readonly unsubscribe: string
}

/** A mail as plain text and as HTML. */
export interface RenderedMail {
  readonly subject: string
  readonly text: string
  readonly html: string
}

const MAX_SUBJECT = 150
const MAX_FACT = 500
const MAX_NAME = 100
// Control characters and bidirectional overrides.
const HARMFUL = /[\p{Cc}\p{Zl}\p{Zp}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/gu

// What mail clients turn into links; a bare host name looks like a file name and stays.
const LINK = /\b[a-z][a-z0-9+.-]*:\/\/\S+|\bwww\.\S+|(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}\/\S*/giu

/** Users' text with its addresses defused: only our own links may be clickable. */
export const unlinked = (words: string): string =>
  words.replace(LINK, (link) => link.replaceAll('://', '[:]//').replaceAll('.', '[.]'))

/** Users' text on one line, without characters that could imitate our text. */
export function plain(words: string, maxLength: number): string {
  const line = words.replace(HARMFUL, ' ').replace(/\s+/g, ' ').trim()
  const letters = [...line]
  return letters.length > maxLength ? `${letters.slice(0, maxLength - 1).join('')}…` : line
}

/** Renders a mail in one language, or in several, one block each. */
export function renderMail(
  blocks: readonly Block[],
  { service, unsubscribeUrl }: { readonly service: string; readonly unsubscribeUrl: string | undefined },
): RenderedMail {
  const harmless = blocks.map((block) => ({
    ...block,
    letterhead: block.letterhead && { ...block.letterhead, name: plain(unlinked(block.letterhead.name), MAX_NAME) },
    facts: block.facts.map(({ label, value }) => ({ label, value: plain(value, MAX_FACT) })),
  }))
  return {
    subject: plain(harmless.map(({ subject }) => plain(subject, MAX_SUBJECT)).join(' / '), 2 * MAX_SUBJECT),
    text: harmless.map((block) => textOf(block, service, unsubscribeUrl)).join('\n\n* * *\n\n'),
    html: pageOf(harmless, service, unsubscribeUrl).text,
  }
}

function textOf(block: Block, service: string, unsubscribeUrl: string | undefined): string {
  const { letterhead, heading, line, facts, action, notes, reason, unsubscribe } = block
  return [
    letterhead === undefined ? '' : `${letterhead.name} (${letterhead.businessId})`.trim(),
    [heading, '', line].join('\n'),
    facts.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    `${action.label}:\n${action.url}`,
    notes.join('\n'),
    [`${service}. ${reason}`, ...(unsubscribeUrl === undefined ? [] : [`${unsubscribe}:\n${unsubscribeUrl}`])].join(
      '\n',
    ),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

/**
 * Mail clients drop most CSS: layout is a table, colours are inline (those of the pages), and dark mode overrides them.
 */
const STYLE = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
body{margin:0;padding:0;-webkit-text-size-adjust:100%}
@media (max-width:480px){.pad{padding:20px 16px!important}.band{padding:16px 16px 0!important}.label{display:block!important;padding:6px 0 0!important}.value{display:block!important;padding:0 0 6px!important}.button{display:block!important;text-align:center!important}}
@media (prefers-color-scheme:dark){.page{background:#0e161b!important}.card{background:#17222a!important;border-color:#2c3b45!important}.ink{color:#e6edf0!important}.soft{color:#a3b4bd!important}.rule{border-color:#2c3b45!important}.link{color:#6cc5c9!important}.note{background:#35270d!important;color:#f2c269!important}.button{background:#6cc5c9!important;color:#06262a!important}}`

const FONT = "font-family:'Segoe UI',Roboto,Helvetica,Arial,'Liberation Sans',sans-serif"

const pageOf = (
  blocks: readonly Block[],
  service: string,
  unsubscribeUrl: string | undefined,
): Html => html`<!doctype html>
<html lang="${blocks[0]?.language ?? 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${blocks[0]?.heading ?? ''}</title>
<style>${new Html(STYLE)}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f4f6f7">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f4f6f7"><tr><td align="center" style="padding:24px 8px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px;table-layout:fixed">
<tr><td class="soft" style="${new Html(FONT)};padding:0 8px 12px;font-size:14px;line-height:20px;color:#52636d;word-break:break-word">${service}</td></tr>
${blocks.map((block) => cardOf(block, service, unsubscribeUrl))}
</table>
</td></tr></table>
</body>
</html>
`

const cardOf = (
  block: Block,
  service: string,
  unsubscribeUrl: string | undefined,
): Html => html`<tr><td lang="${block.language}" style="padding:0 0 16px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#ffffff;border:1px solid #d6dee2;border-radius:10px;border-collapse:separate">${block.letterhead === undefined ? new Html('') : bandOf(block.letterhead)}<tr><td class="pad" style="${new Html(FONT)};padding:28px 32px">
<h1 class="ink" style="margin:0 0 12px;font-size:22px;line-height:29px;font-weight:600;color:#16232b">${block.heading}</h1>
<p class="ink" style="margin:0 0 16px;font-size:16px;line-height:24px;color:#16232b">${block.line}</p>
<table role="presentation" class="rule" width="100%" cellpadding="0" cellspacing="0" border="0" style="border-top:1px solid #d6dee2;margin:0 0 20px;padding:8px 0 0">${block.facts.map(factOf)}</table>
${block.notes.map((note) => html`<p class="note" style="margin:0 0 12px;padding:10px 14px;border-radius:6px;background:#fff1d6;color:#7a4a00;font-size:14px;line-height:20px;word-break:break-word">${note}</p>`)}
<p style="margin:8px 0 0"><a class="button" href="${block.action.url}" style="display:inline-block;padding:12px 22px;border-radius:6px;background:#0b5c66;color:#ffffff;font-size:16px;line-height:20px;font-weight:600;text-decoration:none">${block.action.label}</a></p>
<p class="soft" style="margin:12px 0 0;font-size:13px;line-height:19px;color:#52636d;word-break:break-all">${block.action.url}</p>
<p class="soft rule" style="margin:20px 0 0;padding:14px 0 0;border-top:1px solid #d6dee2;font-size:13px;line-height:19px;color:#52636d">${service}. ${block.reason}${unsubscribeUrl === undefined ? new Html('') : html` <a class="link" href="${unsubscribeUrl}" style="color:#0b5c66">${block.unsubscribe}</a>`}</p>
</td></tr></table>
</td></tr>
`

/** Pictures have a ground of their own: their ink may be dark. */
const bandOf = ({ name, businessId, color, logoUrl }: Letterhead): Html =>
  html`<tr><td class="band" style="${new Html(FONT)};padding:24px 32px 0"><table role="presentation" cellpadding="0" cellspacing="0" border="0" style="border-left:4px solid ${color ?? '#d6dee2'}"><tr>${logoUrl === undefined ? new Html('') : html`<td valign="middle" style="padding:0 0 0 12px"><img src="${logoUrl}" height="40" alt="" style="display:block;height:40px;width:auto;max-width:120px;border:0;border-radius:4px;background:#ffffff"></td>`}<td valign="middle" style="padding:2px 0 2px 12px;word-break:break-word">${name === '' ? new Html('') : html`<span class="ink" style="display:block;font-size:16px;line-height:22px;font-weight:600;color:#16232b">${name}</span>`}<span class="soft" style="display:block;font-size:13px;line-height:18px;color:#52636d">${businessId}</span></td></tr></table></td></tr>
`

const factOf = ({ label, value }: Block['facts'][number]): Html =>
  html`<tr><td class="label soft" valign="top" width="150" style="padding:5px 12px 5px 0;font-size:14px;line-height:20px;color:#52636d">${label}</td><td class="value ink" valign="top" style="padding:5px 0;font-size:15px;line-height:21px;color:#16232b;word-break:break-word">${value}</td></tr>`
