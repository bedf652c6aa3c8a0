import { client, Told } from './api.js'
import { byId, make, say } from './dom.js'
import { type Done, keepDone, sayDone } from './done.js'
import { addressesIn, recipientIn, textIn } from './recipient.js'
import { offerRecipients } from './recipients.js'
import { SETTINGS_FORMS } from './settings-forms.js'
import { prepareSigners } from './signers.js'
import { onSubmit } from './submit.js'
import { texts } from './texts.js'

/** Answers where to go next, or what was done where the page has to be read again. */
type Handler = (form: FormData, of: string) => Promise<Done | URL | undefined>

/** The document (`/d/…`) or package (`/p/…`) that a form is about. */
function objectOf(of: string): { documentId: string } | { packageId: string } {
  const [, kind, id = ''] = of.split('/')
  return kind === 'p' ? { packageId: id } : { documentId: id }
}

const HANDLERS: Readonly<Record<string, Handler>> = {
  ...SETTINGS_FORMS,
  async send(form, of) {
    const request = recipientIn(form)
    if (request === undefined) throw new Told(texts.badNumber, 'toNumber')
    const object = objectOf(of)
    const { outgoingId } =
      'packageId' in object
        ? await client.sendPackage({ packageId: object.packageId, request })
        : await client.sendDocument({ id: object.documentId, request })
    return new URL(`/outgoing/${outgoingId}`, location.origin)
  },
  async notify(form, of) {
    const to = addressesIn(form, 'emails')
    if (to.length === 0) throw new Told(texts.noAddress, 'emails')
    const emailNotifications = { to, language: document.documentElement.lang }
    const object = objectOf(of)
    if ('packageId' in object) await client.notifyPackage({ ...object, request: { emailNotifications } })
    else await client.notifyDocument({ id: object.documentId, request: { emailNotifications } })
    return undefined
  },
  async comment(form, of) {
    const [, side, id = ''] = of.split('/')
    const comment = textIn(form, 'comment')
    const said = comment === '' ? {} : { comment }
    const status = form.get('status')
    if (side === 'outgoing') await client.commentOutgoing({ outgoingId: id, request: { comment } })
    else if (status === 'accepted' || status === 'denied') {
      await client.commentIncoming({ incomingId: id, request: { status, ...said } })
    } else await client.commentIncoming({ incomingId: id, request: said })
    return 'sent'
  },
  async remind(_form, of) {
    await client.remindOutgoing({ outgoingId: of.split('/')[2] ?? '', request: {} })
    return 'sent'
  },
  async recall(form, of) {
    const comment = textIn(form, 'comment')
    await client.recallOutgoing({ outgoingId: of.split('/')[2] ?? '', request: comment === '' ? {} : { comment } })
    return 'saved'
  },
}

prepareSigners()
offerRecipients()
/** Handlers by the purpose that a form names. */
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-form]')) {
  const { form: name = '', of = '' } = form.dataset
  const place = form.querySelector<HTMLElement>('.outcome') ?? byId('progress', HTMLElement)
  onSubmit(form, place, async (submitter) => {
    const next = await HANDLERS[name]?.(new FormData(form, submitter), of)
    if (next instanceof URL) return next.href
    if (next !== undefined) {
      keepDone(place, next)
      return location.href
    }
    say(place, 'good', make('p', {}, name === 'notify' ? texts.sent : texts.saved))
    return undefined
  })
}
sayDone()
