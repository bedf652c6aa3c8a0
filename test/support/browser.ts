import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { onPath } from './programs.js'

/** Debian's Chromium, if it is installed; preferably the headless shell, which does a third of the work. */
const program = onPath('chromium-headless-shell') ?? onPath('chromium')

/** Declares a suite that needs a browser; without one it is skipped and says so, or fails with REQUIRE_CHROMIUM=1. */
export function describeInBrowser(name: string, suite: (browser: TestBrowser) => void): void {
  if (program === undefined && process.env.REQUIRE_CHROMIUM !== '1') {
    describe.skip(`${name} (skipped: chromium is not installed)`, () => undefined)
    return
  }
  describe(name, () => {
    const browser = new TestBrowser()
    afterEach(() => browser.closeWindows())
    after(() => browser.close())
    suite(browser)
  })
}

/** Options of a window. */
export interface WindowOptions {
  readonly language?: string
  readonly width?: number
  readonly dark?: boolean
  readonly javaScript?: boolean
  /** Has a touch screen and no mouse. */
  readonly isPhone?: boolean
  readonly cookies?: string
}

/** One browser for a suite; its windows are closed after each test. */
export class TestBrowser {
  /** Port of a stand-in for NCALayer; set before anything is opened. */
  ncaLayerPort = 0
  private launched: Promise<Browser> | undefined
  private readonly contexts: BrowserContext[] = []

  /** A window with a fresh profile. Errors of its scripts are collected in `problems`. */
  async open(url: string, options: WindowOptions = {}): Promise<{ page: Page; problems: string[] }> {
    const { language = 'en', width = 1280, dark = false, javaScript = true, isPhone = false, cookies } = options
    this.launched ??= this.launch()
    const browser = await this.launched
    const context = await browser.newContext({
      baseURL: url,
      locale: language,
      viewport: { width, height: 800 },
      colorScheme: dark ? 'dark' : 'light',
      javaScriptEnabled: javaScript,
      ignoreHTTPSErrors: true,
      ...(isPhone && { isMobile: true, hasTouch: true }),
    })
    this.contexts.push(context)
    if (cookies !== undefined) {
      const [name = '', value = ''] = cookies.split('=')
      await context.addCookies([{ name, value, url, secure: true, httpOnly: true, sameSite: 'Strict' }])
    }
    const page = await context.newPage()
    // Only to end hangs: generous, since a busy machine is not a failure.
    page.setDefaultTimeout(120_000)
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text())
    })
    page.on('dialog', (dialog) => {
      problems.push(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    return { page, problems }
  }

  async closeWindows(): Promise<void> {
    await Promise.all(this.contexts.splice(0).map((context) => context.close()))
  }

  async close(): Promise<void> {
    await (await this.launched)?.close()
  }

  private launch(): Promise<Browser> {
    if (program === undefined) throw new Error('REQUIRE_CHROMIUM=1, but chromium is not installed')
    const { ncaLayerPort } = this
    return chromium.launch({
      executablePath: program,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        // NCALayer has one port on every computer; the stand-in listens on a free one.
        ...(ncaLayerPort > 0
          ? [`--host-resolver-rules=MAP 127.0.0.1:13579 127.0.0.1:${ncaLayerPort}`, '--ignore-certificate-errors']
          : []),
      ],
    })
  }
}
