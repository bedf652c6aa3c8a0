import type { DocumentListItem, PackageListItem } from '@signed-registry/client'
import { RegistryError } from '@signed-registry/core'
import { time } from '../formats.js'
import { type Html, html, nothing, raw } from '../html.js'
import type { Item } from '../items.js'
import { endingChip, endingNotice } from '../views/ending-digests.js'
import { listedState, titleOf } from '../views/item-state.js'
import { pager, type Reading, withQuery } from '../views/pager.js'
import { partyName } from '../views/party.js'
import type { Page, Shown, Visit } from '../visit.js'

/** A page whose search begins again where the address has no cursor that goes on, such as a shortened one. */
const searched =
  (page: Page): Page =>
  async (visit) => {
    try {
      return await page(visit)
    } catch (error) {
      const isRefused = error instanceof RegistryError && error.code === 'invalidQueryParameter'
      if (!isRefused || !visit.query.has('cursor')) throw error
      return { location: withQuery(visit.url, { cursor: undefined }) }
    }
  }

/** `/documents`: what somebody signed, or their organization. */
export const documentsPage = searched(async (visit) => {
  const { use, caller, query, texts } = visit
  const { searchQuery = '' } = wordsOf(visit)
  const incomplete = query.get('incomplete') === 'true'
  const archived = query.get('archived') === 'true'
  const ending = query.get('digestsEnding') === 'true'
  const { documents, documentsTotal, searchCursor } = await use.listDocuments.execute(caller, {
    query: {
      ...windowOf(visit),
      organization: isOfOrganization(visit),
      ...(searchQuery !== '' && { searchQuery, searchCursor: query.get('cursor') ?? '' }),
      ...(incomplete && { incomplete }),
      ...(archived && { dataArchived: true }),
      ...(ending && { digestsEnding: true }),
    },
  })
  const organization = isOfOrganization(visit)
  const endingQuery = { organization, digestsEnding: true }
  const endingTotal = ending
    ? documentsTotal
    : (await use.listDocuments.execute(caller, { query: endingQuery })).documentsTotal
  const chosen = incomplete ? 'incomplete' : archived ? 'archived' : ending ? 'digestsEnding' : undefined
  return listPage(visit, {
    title: texts.nav.documents,
    filters: html`${endingNotice(visit, endingTotal, ending ? undefined : withQuery(visit.url, { ...NO_FILTER, digestsEnding: 'true' }))}${completeness(visit, chosen)}`,
    choose: {
      kind: 'id',
      ids: documents.map(({ documentId, title }) => [documentId, title || texts.document.untitled]),
    },
    kept: {
      ...(isOfOrganization(visit) && { of: 'organization' }),
      ...(incomplete && { incomplete: 'true' }),
      ...(archived && { archived: 'true' }),
      ...(ending && { digestsEnding: 'true' }),
    },
    search: searchQuery,
    total: documentsTotal,
    searchCursor,
    oldest: documents.at(-1)?.storedAt,
    rows: documents.map((one: DocumentListItem) => [
      html`<a href="/d/${one.documentId}"><bdi>${one.title || texts.document.untitled}</bdi></a>${one.description === '' ? nothing : html`<br><span class="hint"><bdi>${one.description.slice(0, 200)}</bdi></span>`}`,
      one.signaturesTotal > 0
        ? html`<span class="chip good">${texts.document.signed(one.signaturesTotal)}</span>`
        : html`<span class="chip">${texts.document.unsigned}</span>`,
      html`${time(visit.language, one.storedAt)}${one.signedDataSize === 0 ? html` <span class="chip warn">${texts.lists.unfinished}</span>` : nothing}${endingChip(visit, one.digestsTrustedUntil)}`,
    ]),
    heads: [texts.lists.title, texts.lists.signatures, texts.lists.when],
  })
})

/** `/packages`: those that name somebody, or their organization. */
export const packagesPage = searched(async (visit) => {
  const { use, caller, texts } = visit
  const { packages, packagesTotal, searchCursor } = await use.listPackages.execute(caller, {
    query: { ...windowOf(visit), ...wordsOf(visit), organization: isOfOrganization(visit) },
  })
  return listPage(visit, {
    title: texts.nav.packages,
    search: wordsOf(visit).searchQuery ?? '',
    searchLabel: texts.lists.searchPackagesLabel,
    kept: { ...(isOfOrganization(visit) && { of: 'organization' }) },
    total: packagesTotal,
    searchCursor,
    choose: {
      kind: 'package',
      ids: packages.map(({ packageId, title }) => [packageId, title || texts.package.untitled]),
    },
    oldest: packages.at(-1)?.storedAt,
    rows: packages.map((one: PackageListItem) => [
      html`<a href="/p/${one.packageId}"><bdi>${one.title || texts.package.untitled}</bdi></a>`,
      texts.package.documents(one.documentsIds.length),
      time(visit.language, one.storedAt),
    ]),
    heads: [texts.lists.title, texts.package.list, texts.lists.when],
    empty: texts.lists.nonePackages,
  })
})

/** `/incoming`: what somebody received. */
export const incomingPage = searched(async (visit) => {
  const query = { ...windowOf(visit), ...statusOf(visit), ...wordsOf(visit), includeDetails: true }
  const { items, incomingTotal, searchCursor } = await visit.use.listIncoming.execute(visit.caller, { query })
  const rows = items.map((item) => itemRow(visit, item, `/incoming/${item.incomingId}`))
  const { nav, lists } = visit.texts
  const words = { title: nav.incoming, party: lists.from, empty: lists.noneIncoming }
  return itemsPage(visit, words, rows, { total: incomingTotal, oldest: items.at(-1)?.sentAt, searchCursor })
})

/** `/outgoing`: what somebody sent. */
export const outgoingPage = searched(async (visit) => {
  const query = { ...windowOf(visit), ...statusOf(visit), ...wordsOf(visit), includeDetails: true }
  const { items, outgoingTotal, searchCursor } = await visit.use.listOutgoing.execute(visit.caller, { query })
  const rows = items.map((item) => itemRow(visit, item, `/outgoing/${item.outgoingId}`))
  const { nav, lists } = visit.texts
  const words = { title: nav.outgoing, party: lists.to, empty: lists.noneOutgoing }
  return itemsPage(visit, words, rows, { total: outgoingTotal, oldest: items.at(-1)?.sentAt, searchCursor })
})

/** What is searched for, and from where on. */
function wordsOf({ query }: Visit): { readonly searchQuery?: string; readonly searchCursor?: string } {
  const searchQuery = (query.get('q') ?? '').trim().slice(0, 200)
  const searchCursor = query.get('cursor')
  return searchQuery === '' ? {} : { searchQuery, ...(searchCursor !== null && { searchCursor }) }
}

type Row = readonly (Html | string)[]

interface List extends Omit<Reading, 'count'> {
  readonly title: string
  readonly heads: readonly string[]
  readonly rows: readonly Row[]
  /** The search query; absent when the list cannot be searched. */
  readonly search?: string
  /** What can be searched for, where it is not what documents have. */
  readonly searchLabel?: string
  /** Query parameters that a search preserves. */
  readonly kept?: Readonly<Record<string, string>>
  readonly filters?: Html
  /** Rows can be chosen, several at once: the name of the parameter, and the identifier and title of each. */
  readonly choose?: { readonly kind: 'id' | 'package'; readonly ids: readonly (readonly [id: string, title: string])[] }
  /** A hint for an empty list. */
  readonly empty?: string
}

function listPage(
  visit: Visit,
  {
    title,
    heads,
    rows,
    total,
    oldest,
    searchCursor,
    search,
    searchLabel = visit.texts.lists.searchLabel,
    kept = {},
    filters,
    choose,
    empty,
  }: List,
): Shown {
  const { texts, caller, url, query } = visit
  const path = url.split('?')[0] ?? ''
  // Nobody knows how many there are before a search has come to its end.
  const isPartOfSearch = searchCursor !== undefined || query.has('cursor')
  return {
    title,
    body: html`<h1>${title}</h1>
${caller.kind === 'employee' && !path.endsWith('coming') && !path.endsWith('going') ? owners(visit, path) : nothing}
${filters ?? nothing}
${
  search === undefined
    ? nothing
    : html`<form class="find card" method="get" action="${path}" role="search"><label for="q">${searchLabel}</label>
<div class="row"><input type="search" id="q" name="q" value="${search}" dir="auto" maxlength="200">${Object.entries(kept).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<button>${texts.lists.searchAction}</button></div></form>`
}
<section class="card">${
      rows.length === 0
        ? html`<p>${searchCursor !== undefined ? texts.lists.noneFoundSoFar : search ? texts.lists.noneFound : texts.lists.none} ${empty ?? nothing}</p>${search === undefined ? nothing : html`<p class="actions"><a class="button strong" href="/new">${texts.front.newTitle}</a></p>`}`
        : html`<p class="hint">${isPartOfSearch ? texts.lists.onPage(rows.length) : texts.lists.total(total)}. ${texts.timeZone}</p>${chosenForm(
            visit,
            choose,
            html`<table class="table"><thead><tr>${choose === undefined ? nothing : html`<td></td>`}${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map((row, index) => html`<tr>${choosing(choose, index)}${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table>`,
          )}`
    }
${pager(visit, { count: rows.length, total, oldest, searchCursor })}</section>`,
  }
}

/** A box that chooses a row. */
function choosing(choose: List['choose'], index: number): Html {
  const [id, title] = choose?.ids[index] ?? []
  if (choose === undefined || id === undefined || title === undefined) return nothing
  return html`<td class="choose"><input type="checkbox" name="${choose.kind}" value="${id}" aria-label="${title}"></td>`
}

/** What can be done with several rows at once; a plain form, so that it needs no script. */
function chosenForm({ texts: { lists } }: Visit, choose: List['choose'], rows: Html): Html {
  if (choose === undefined) return rows
  const act = (path: string, label: string) => html`<button class="small" formaction="${path}">${label}</button>`
  return html`<form method="get" action="/send-many">${rows}<p class="actions" role="group" aria-label="${lists.chosen}"><span>${lists.chosen}</span>
${choose.kind === 'id' ? act('/sign-many', lists.signChosen) : nothing}${act('/send-many', lists.sendChosen)}${choose.kind === 'id' ? act('/export', lists.exportChosen) : nothing}</p></form>`
}

const owners = (visit: Visit, path: string): Html => {
  const { texts } = visit
  const isOrganization = isOfOrganization(visit)
  const here = raw(' aria-current="page"')
  return html`<p class="tabs"><a href="${path}"${isOrganization ? nothing : here}>${texts.lists.mine}</a><a href="${path}?of=organization"${isOrganization ? here : nothing}>${texts.lists.ofOrganization}</a></p>`
}

const NO_FILTER = {
  incomplete: undefined,
  archived: undefined,
  digestsEnding: undefined,
  until: undefined,
  cursor: undefined,
}

/** Tabs: all documents, those whose original is missing, so that none is forgotten, or those that are archived. */
const completeness = ({ texts, url }: Visit, chosen: 'incomplete' | 'archived' | 'digestsEnding' | undefined): Html => {
  const here = raw(' aria-current="page"')
  const tab = (value: typeof chosen, label: string) =>
    html`<a href="${withQuery(url, value === undefined ? NO_FILTER : { ...NO_FILTER, [value]: 'true' })}"${value === chosen ? here : nothing}>${label}</a>`
  return html`<p class="tabs">${tab(undefined, texts.lists.all)}${tab('incomplete', texts.lists.withoutOriginal)}${tab('archived', texts.lists.archived)}</p>`
}

const STATUSES = ['new', 'accepted', 'denied'] as const
const statusOf = ({ query }: Visit) => {
  const status = STATUSES.find((one) => one === query.get('status'))
  return status === undefined ? {} : { status }
}

const itemsPage = (
  visit: Visit,
  { title, party, empty }: { readonly title: string; readonly party: string; readonly empty: string },
  rows: readonly Row[],
  reading: Omit<Reading, 'count'>,
) => {
  const { texts, url } = visit
  const chosen = statusOf(visit).status
  const filters = html`<p class="tabs">${[undefined, ...STATUSES].map(
    (status) =>
      html`<a href="${withQuery(url, { status, until: undefined, cursor: undefined })}"${status === chosen ? raw(' aria-current="page"') : nothing}>${status === undefined ? texts.lists.all : texts.lists.statuses[status]}</a>`,
  )}</p>`
  return listPage(visit, {
    title,
    search: wordsOf(visit).searchQuery ?? '',
    searchLabel: texts.lists.searchItemsLabel,
    kept: { ...(chosen !== undefined && { status: chosen }) },
    heads: [texts.lists.title, party, texts.lists.status, texts.lists.when],
    rows,
    ...reading,
    filters,
    empty,
  })
}

/** An item: title and what is wanted, the other party, where it stands, and when it was sent. */
function itemRow(visit: Visit, item: Item, href: string): Row {
  const { texts, language } = visit
  const { deal } = texts
  const party =
    'incomingId' in item
      ? partyName(visit, item.sender, item.senderName)
      : partyName(visit, item.receiver, item.receiverName)
  const isOpen = item.status === 'new' && item.deadline !== undefined
  return [
    html`<a href="${href}"><bdi>${titleOf(visit, item)}</bdi></a>${item.toSign && item.status === 'new' ? html` <span class="chip">${deal.signChip}</span>` : nothing}`,
    party,
    html`${listedState(visit, item)}${isOpen ? html`<br><small>${deal.deadline} ${time(language, item.deadline ?? 0)}</small>` : nothing}`,
    time(language, item.sentAt),
  ]
}

const isOfOrganization = ({ query, caller }: Visit): boolean =>
  caller.kind === 'employee' && query.get('of') === 'organization'

function windowOf({ query }: Visit): { until?: number } {
  const until = Number(query.get('until') ?? Number.NaN)
  return Number.isSafeInteger(until) && until > 0 ? { until } : {}
}
