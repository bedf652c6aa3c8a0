import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { Environment } from '#host/config/environment.js'

const OTHERS = /^(NODE_ENV|NODE_COMPILE_CACHE|AWS_\w+|HAPROXY_\w+)$/

describe('docs/deployment.md', () => {
  const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')
  const known = Object.keys(Environment.properties)
  /** Variables of hosts, not those of databases and object stores. */
  const variablesIn: Readonly<Record<string, (text: string) => string[]>> = {
    Dockerfile: (text) => words(/^ENV (.*)$/m.exec(text)?.[1]),
    'deploy/signed-registry.service': (text) => words(/^Environment=(.*)$/m.exec(text)?.[1]),
    'compose.yaml': (text) => keys(text.slice(text.indexOf('\n  registry:'), text.indexOf('\nvolumes:'))),
    'deploy/compose.cluster.yaml': (text) =>
      keys(text.slice(text.indexOf('x-registry-environment:'), text.indexOf('\nservices:'))),
    'deploy/kubernetes.yaml': (text) => [...keys(text), 'PEER_URL'],
  }

  for (const [file, variables] of Object.entries(variablesIn)) {
    it(`${file} sets variables that hosts know`, () => {
      const set = variables(read(file)).filter((name) => !OTHERS.test(name))
      expect(set).to.not.deep.equal([])
      expect(known).to.include.members(set)
    })
  }

  it('has hosts start with the same options of Node', () => {
    const options = ['Dockerfile', 'deploy/signed-registry.service', 'package.json'].map(
      (file) =>
        /node(?:", "| )(--\S*?\d+)(?:", "| )host\/bundle\/signed-registry\.js(?:", "| )start/.exec(read(file))?.[1],
    )
    expect(new Set(options)).to.deep.equal(new Set(['--max-semi-space-size=32']))
  })

  it('names files that exist', () => {
    for (const [, file = ''] of read('docs/deployment.md').matchAll(/`(deploy\/[\w.-]+)`/g)) read(file)
  })
})

const words = (text = '') => text.split(' ').map((pair) => pair.split('=')[0] ?? '')
const keys = (text: string) => [...text.matchAll(/^ +([A-Z][A-Z_]+): /gm)].map(([, name = '']) => name)
