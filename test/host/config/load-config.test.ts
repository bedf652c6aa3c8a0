import { chmodSync, chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigError, loadConfig, pluginsOf } from '@signed-registry/host'
import { expect } from 'chai'
import { writeConfig } from '../../support/config-file.js'

describe('a configuration with a file', () => {
  let folder: string
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'registry-config-')))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const written = (text: string, name = 'registry.config.js') => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }
  const load = (path: string, env: Record<string, string> = {}) => loadConfig({ REGISTRY_CONFIG: path, ...env })
  const refusal = async (path: string, env: Record<string, string> = {}): Promise<string[]> => {
    const error = await load(path, env).catch((reason: unknown) => reason)
    if (!(error instanceof ConfigError)) throw new Error(`It was not refused: ${error}`)
    return error.wrong.map((line) => (line.startsWith(path) ? line.slice(path.length + 2) : line))
  }

  it('has its plugins beside the stock ones, and its settings where the environment says nothing', async () => {
    const path = writeConfig(
      folder,
      "settings: { SITE_NAME: 'Ours', PORT: 9000, DATA_DIR: '/srv' }, without: ['pages']",
    )
    const config = await load(path, { PORT: '9001', SITE_NAME: '' })
    expect(config).to.deep.include({ siteName: 'Ours', dataDir: '/srv', listen: { host: '127.0.0.1', port: 9001 } })
    expect(config.plugins).to.include({ file: path })
    const names = pluginsOf(config).map(({ name }) => name)
    expect(names.at(-1)).to.equal('greetings')
    expect(names).to.include.members(['dev-authorities', 'webhook-http']).and.not.include('pages')
  })

  it('has its settings where the file of variables says nothing, too', async () => {
    const path = writeConfig(folder, "settings: { SITE_NAME: 'Ours', PORT: 9000 }")
    const environment = written('SITE_NAME=\nPORT=9001\n', 'environment')
    const config = await load(path, { ENVIRONMENT_FILE: environment, SITE_NAME: 'of the process' })
    expect(config).to.deep.include({ siteName: 'Ours', listen: { host: '127.0.0.1', port: 9001 } })
  })

  it('lets a plugin take the place of the stock one with its name', async () => {
    const mine = `{ name: 'webhook-http', provides: [] }`
    const config = await load(written(`export default { plugins: [${mine}] }`))
    expect(pluginsOf(config).filter(({ name }) => name === 'webhook-http')).to.deep.equal([
      { name: 'webhook-http', provides: [] },
    ])
  })

  it('is not one of development when its plugins stand for the authorities', async () => {
    const config = await load(written(`export default { without: ['dev-authorities'] }`))
    expect(config.authorities).to.deep.equal({ kind: 'plugins' })
    expect(pluginsOf(config).map(({ name }) => name)).to.not.include.members(['dev-authorities', 'online-authorities'])
  })

  it('tells everything that is wrong at once, with the file and the environment', async () => {
    const path = written(`
      function mailer() {}
      const one = { name: 'one' }
      export default {
        plugin: [],
        plugins: [mailer, 7, one, one],
        without: ['smtp'],
        settings: { PROT: 1, DATA_DIRS: 'x', LOG_LEVEL: 'loud', MAIL_FROM: {}, REGISTRY_CONFIG: 'b' },
      }`)
    const wrong = await refusal(path, { PORT: 'many' })
    expect(wrong.map((line) => line.replace(/; there are .*/, ''))).to.deep.equal([
      'plugin: is not known',
      'plugins: mailer is a factory: call it, as in mailer({ … })',
      'plugins: a plugin is made by definePlugin',
      'plugins: two are called one',
      'without: there is no stock plugin smtp',
      'settings: PROT: is no variable of the registry',
      'settings: DATA_DIRS: is no variable of the registry; is DATA_DIR meant?',
      'settings: MAIL_FROM: takes a text or a number',
      'settings: REGISTRY_CONFIG: is no variable of the registry',
      'PORT: takes a port number, 0 for any free one',
      'LOG_LEVEL: takes one of fatal, error, warn, info, debug, trace, silent',
    ])
  })

  for (const [text, said] of [
    ['export const plugins = []', 'has no default export: export default defineConfig({ … })'],
    ['export default []', 'has no default export: export default defineConfig({ … })'],
    ['export default { plugins: {}, settings: [] }', 'plugins: takes a list'],
    ["import 'a-plugin-that-is-not-installed'", "Cannot find package 'a-plugin-that-is-not-installed'"],
    ["\nthrow new TypeError('ours: /queue must be string')", 'ours: /queue must be string (/'],
    ['export default {', 'Unexpected end of input'],
  ] as const)
    it(`is refused with its reason: ${text.trim()}`, async () => {
      const [line] = await refusal(written(text))
      expect(line).to.include(said)
    })

  it('tells where in the file something fails', async () => {
    const path = written("\n\nthrow new Error('no')")
    expect(await refusal(path)).to.deep.equal([`no (${path}:3)`])
  })

  it('may be TypeScript where Node reads that, and is to be compiled elsewhere', async () => {
    const path = written('const name: string = "ours"\nexport default { plugins: [{ name }] }', 'registry.config.ts')
    if ('typescript' in process.features && process.features.typescript)
      expect((await load(path)).plugins.added).to.deep.equal([{ name: 'ours' }])
    else
      expect(await refusal(path)).to.deep.equal([
        `Node ${process.versions.node} reads no TypeScript: compile it to registry.config.js, or run Node 22.18 or later`,
      ])
  })

  describe('that others may write to', () => {
    const group = (process.getgid?.() ?? 0) + 1

    it('is not read, nor one in such a folder, wherever a link leads', async () => {
      const path = writeConfig(folder)
      chmodSync(path, 0o646)
      expect(await refusal(path)).to.deep.equal([`is not read: others may write to ${path}: run chmod go-w ${path}`])
      chmodSync(path, 0o644)
      mkdirSync(join(folder, 'links'))
      symlinkSync(path, join(folder, 'links/own.js'))
      chmodSync(folder, 0o757)
      for (const one of [path, join(folder, 'links/own.js')])
        expect(await refusal(one)).to.deep.equal([
          `is not read: others may write to ${folder}: run chmod go-w ${folder}`,
        ])
      chmodSync(folder, 0o1777)
      await load(path)
    })

    it('is read when that is our own group, and not when it is another', async function () {
      const path = writeConfig(folder)
      chmodSync(path, 0o664)
      await load(path)
      if (process.getuid?.() !== 0) this.skip()
      chownSync(path, 0, group)
      expect((await refusal(path))[0]).to.include('others may write to')
    })

    /** What is wrong with a file that is found in the working directory. */
    const foundIn = async (place: string): Promise<string> => {
      const before = process.cwd()
      process.chdir(place)
      try {
        return await loadConfig({}).then(
          () => '',
          (reason: unknown) => String(reason),
        )
      } finally {
        process.chdir(before)
      }
    }

    it('is read when another user owns it, if it is named, and not if it is found', async function () {
      if (process.getuid?.() !== 0) this.skip()
      const path = writeConfig(folder)
      for (const place of [path, folder]) {
        chownSync(place, 12_345, 12_345)
        await load(path)
        expect(await foundIn(folder)).to.include(`is not read: ${place} belongs to user 12345: name the file by`)
        chownSync(place, 0, 0)
      }
      expect(await foundIn(folder)).to.equal('')
    })

    it('is read when it is a link, if it is named, and not if it is found', async () => {
      const path = writeConfig(folder)
      mkdirSync(join(folder, 'links'))
      const link = join(folder, 'links/registry.config.js')
      symlinkSync(path, link)
      await load(link)
      expect(await foundIn(join(folder, 'links'))).to.include(`is not read: it is a link, or behind one: name ${path}`)
    })

    it('is refused when it is not there', async () => {
      expect(await refusal(join(folder, 'none.js'))).to.deep.equal([
        'is not read: there is no such file, or it may not be read',
      ])
    })
  })
})
