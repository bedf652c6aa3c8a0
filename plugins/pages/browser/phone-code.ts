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

/** Shows the code, links for use on the phone itself, and the progress. */
export function showCode(
  place: HTMLElement,
  code: Code,
  { stateURL, onCancel }: { readonly stateURL: string; readonly onCancel: () => void },
): ShownCode {
  const events = new EventSource(stateURL)
  const hear = make('p', {}, texts.phoneStates.new)
  const stop = make('button', { type: 'button' }, texts.cancel)
  const link = (href: string, text: string) => make('a', { class: 'button', href, lang: language }, text)
  say(
    place,
    'busy',
    make('h2', {}, texts.phoneScan),
    // Fixed dimensions keep the layout stable while the image is decoded.
    make('img', {
      ...{ src: `data:image/png;base64,${code.qrCode}`, alt: texts.phoneScan, class: 'phone-code' },
      ...{ width: '288', height: '288' },
    }),
    code.confirmationCode === undefined
      ? undefined
      : make('p', {}, `${texts.phoneCompare} `, make('strong', { class: 'phone-digits' }, code.confirmationCode)),
    hear,
    make(
      'p',
      { class: 'actions' },
      link(code.govMobileLaunchLink, texts.phoneOpen),
      link(code.govBusinessLaunchLink, texts.phoneOpenBusiness),
      stop,
    ),
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
