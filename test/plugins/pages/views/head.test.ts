import { expect } from 'chai'
import type { TestHost } from '../../../support/host.js'
import { registered, startPagesHost } from '../../../support/pages-host.js'

describe('previews of links', () => {
  let host: TestHost
  before(async () => {
    host = await startPagesHost()
  })
  after(() => host.close())

  const previewOf = async (path: string): Promise<string> => {
    const html = await fetch(`${host.url}${path}`).then((answer) => answer.text())
    return [...html.matchAll(/<meta property="og:[^>]+>/g)].join('\n')
  }

  it('say that there is a signed document, and not which one, nor who signed it', async () => {
    for (const [settings, path] of [
      [{ private: true }, ''],
      [{ private: true, publicProof: true }, ''],
      [{ private: false }, ''],
      [{ private: false }, '/sign'],
    ] as const) {
      const id = await registered(host, { title: 'Divorce.txt', description: 'Of Askarov', settings })
      const preview = await previewOf(`/d/${id}${path}?lang=en`)
      expect(preview)
        .to.include('og:title" content="A signed document"')
        .and.include('og:site_name" content="Test registry"')
      expect(preview).not.to.match(/Divorce|Askarov/)
    }
  })

  it('say what the pages about the service are, with a picture', async () => {
    const preview = await previewOf('/check?lang=ru')
    expect(preview).to.include('og:title" content="Проверить')
    const [, picture = ''] = /og:image" content="([^"]+)"/.exec(preview) ?? []
    const answer = await fetch(picture)
    expect([answer.status, answer.headers.get('content-type')]).to.deep.equal([200, 'image/png'])
  })
})
