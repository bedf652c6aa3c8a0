import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { configFile, takeConfig } from '#host/config/config-file.js'

describe('the configuration file', () => {
  let folder: string
  const usual = process.cwd()
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'registry-config-')))
    process.chdir(folder)
  })
  afterEach(() => {
    process.chdir(usual)
    rmSync(folder, { recursive: true })
  })

  it('is that of the working directory, what was compiled before its source', () => {
    expect(configFile({})).to.equal(undefined)
    for (const name of ['registry.config.ts', 'registry.config.mjs', 'registry.config.js']) {
      writeFileSync(name, '')
      expect(configFile({})).to.deep.equal({ path: join(folder, name), isNamed: false })
    }
  })

  it('is the one that is named, whether it is there or not', () => {
    writeFileSync('registry.config.js', '')
    expect(configFile({ REGISTRY_CONFIG: 'other.js' })).to.deep.equal({ path: join(folder, 'other.js'), isNamed: true })
    expect(configFile({ REGISTRY_CONFIG: ' ' })).to.include({ isNamed: false })
    writeFileSync('environment', 'REGISTRY_CONFIG=third.js')
    const env = { ENVIRONMENT_FILE: join(folder, 'environment') }
    expect(configFile(env)).to.deep.equal({ path: join(folder, 'third.js'), isNamed: true })
    expect(configFile({ ...env, REGISTRY_CONFIG: 'other.js' })).to.include({ path: join(folder, 'other.js') })
  })

  it('may be named by an argument, wherever it stands', () => {
    const env = { PORT: '1' }
    for (const args of [
      ['--config', 'a.js', 'migrate', 'up'],
      ['migrate', '--config=a.js', 'up'],
      ['migrate', 'up', '--config', 'a.js'],
    ])
      expect(takeConfig(args, env)).to.deep.include({
        args: ['migrate', 'up'],
        env: { PORT: '1', REGISTRY_CONFIG: 'a.js' },
        isWithoutFile: false,
      })
    for (const args of [
      ['start', '--config'],
      ['--config=', 'start'],
      ['start', '--config', ' '],
    ])
      expect(takeConfig(args, env)).to.deep.include({ args: ['start'], isWithoutFile: true })
    expect(takeConfig(['start'], env)).to.deep.equal({ args: ['start'], env })
  })
})
