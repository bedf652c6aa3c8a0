import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { newWebhookSecret, webhookHeaders } from '#core/webhooks/sign-webhook.js'

const text = readFileSync(new URL('../../docs/notifications.md', import.meta.url), 'utf8')
const program = (language: string) => text.split(`\`\`\`${language}\n`)[1]?.split('```')[0] ?? ''
const runs = (command: string): boolean => {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

describe('docs/notifications.md', () => {
  const body = '{"documentId":"AAAAAAAAAAAAAAAA","signId":1}'
  const [secret, other] = [newWebhookSecret(), newWebhookSecret()]
  const headers = webhookHeaders('B'.repeat(16), body, [other, secret], Date.now())
  const ways = {
    js: {
      command: process.execPath,
      args: (given: string) => [
        '--input-type=module',
        '-e',
        `const [rawBody, headers, secret] = ${given}\nconst request = { headers }\n${program('js')}\nconsole.log(event.signId)`,
      ],
      literal: JSON.stringify,
      good: '1',
    },
    python: {
      command: 'python3',
      args: (given: string) => [
        '-c',
        `raw_body, headers, secret = ${given}\nraw_body = raw_body.encode()\n${program('python')}\nprint(ok)`,
      ],
      literal: JSON.stringify,
      good: 'True',
    },
    php: {
      command: 'php',
      args: (given: string) => [
        '-r',
        `[$rawBody, $headers, $secret] = json_decode(${given}, true);\n${program('php')}\necho var_export($ok);`,
      ],
      literal: (value: unknown) => `'${JSON.stringify(value)}'`,
      good: 'true',
    },
  }

  for (const [language, { command, args, literal, good }] of Object.entries(ways)) {
    const isThere = runs(command)
    const said = (sent: string) => {
      try {
        const stdio = ['ignore', 'pipe', 'ignore'] as const
        return execFileSync(command, args(literal([sent, headers, secret])), { stdio: [...stdio] })
          .toString()
          .trim()
      } catch {
        return 'refused'
      }
    }
    const missing = isThere ? '' : ` (skipped: ${command} is not installed)`
    it(`proves a webhook in ${language}, and refuses one that was changed${missing}`, function () {
      if (!isThere) return process.env.REQUIRE_PHP === '1' ? expect.fail(`no ${command}`) : this.skip()
      expect(said(body)).to.equal(good)
      expect(said(body.replace('1', '2'))).not.to.equal(good)
    })
  }
})
