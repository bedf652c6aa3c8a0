import { Told } from './api.js'
import { make, say, show } from './dom.js'
import { language, texts } from './texts.js'

/** The visible part of a procedure that was begun. */
export interface Code {
  readonly qrCode: string
  readonly govMobileLaunchLink: string
  readonly govBusinessLaunchLink: string
  /** Shown by the app, too. */
  readonly confirmationCode?: string
}

/** A QR code on the screen while the phone signs. */
export interface ShownCode {
  /** Resolves when the procedure has succeeded. */
  readonly done: Promise<void>
  /** Rejects when the phone refuses or is too late, or the person at the screen cancels. */
  readonly failed: Promise<never>
  close(): void
}

/** Whether this is a phone or a tablet, as far as can be told: it is opened by a link, and the code is for another device. */
export const onPhone = (): boolean => matchMedia('((hover: none) and (pointer: coarse)) or (max-width: 40rem)').matches

/** Shows the code, links for use on the phone itself, and the progress. */
export function showCode(
  place: HTMLElement,
  code: Code,
  { stateURL, onCancel }: { readonly stateURL: string; readonly onCancel: () => void },
): ShownCode {
  const events = new EventSource(stateURL)
  const hear = make('p', {}, texts.phoneStates.new)
  const stop = make('button', { type: 'button' }, texts.cancel)
  const link = (href: string, text: string, look = 'button') => make('a', { class: look, href, lang: language }, text)
  const links = make(
    'p',
    { class: 'actions' },
    link(code.govMobileLaunchLink, texts.phoneOpen, onPhone() ? 'button strong' : 'button'),
    link(code.govBusinessLaunchLink, texts.phoneOpenBusiness),
    onPhone() ? undefined : stop,
  )
  // Fixed dimensions keep the layout stable while the image is decoded.
  const side = onPhone() ? '128' : '288'
  const qr = make(
    'div',
    {},
    make('h2', {}, texts.phoneScan),
    make('img', {
      ...{ src: `data:image/png;base64,${code.qrCode}`, alt: texts.phoneScan, class: 'phone-code' },
      ...{ width: side, height: side },
    }),
  )
  say(
    place,
    'busy',
    ...(onPhone() ? [links, qr] : [qr]),
    code.confirmationCode === undefined
      ? undefined
      : make('p', {}, `${texts.phoneCompare} `, make('strong', { class: 'phone-digits' }, code.confirmationCode)),
    hear,
    onPhone() ? make('p', { class: 'actions' }, stop) : links,
  )
  show(place)
  const onState = (listen: (status: string) => void) =>
    events.addEventListener('state', ({ data }) => {
      const { status }: { status: string } = JSON.parse(data)
      listen(status)
    })
  onState((status) => {
    if (status === 'meta' || status === 'data') hear.textContent = texts.phoneStates[status]
  })
  const done = new Promise<void>((resolve) => {
    onState((status) => {
      if (status === 'done') resolve()
    })
  })
  const failed = new Promise<never>((_, reject) => {
    onState((status) => {
      if (status === 'fail') reject(new Told(texts.phoneExpired))
      if (status === 'canceled') reject(new Told(texts.cancelled))
    })
    stop.addEventListener('click', () => {
      onCancel()
      reject(new Told(texts.cancelled))
    })
  })
  return { done, failed, close: () => events.close() }
}
