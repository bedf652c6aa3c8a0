import type { TracerConfig } from '@opentelemetry/sdk-trace-node'
import { type Binding, type Plugin, provideValue, WebhookAddresses, WebhookPorts } from '@signed-registry/core'
import { SaveOrganizationSettings } from '@signed-registry/core/organizations'
import { devAuthorities } from '@signed-registry/dev-authorities'
import { type OpenTelemetryOptions, openTelemetry } from '@signed-registry/opentelemetry'
import { webhookHttp } from '@signed-registry/webhook-http'
import { expect } from 'chai'
import { headCaller } from './core-registry.js'
import type { OpenDatabase } from './databases.js'
import { startTestHost, type TestHost, type TestHostOptions } from './host.js'
import { request } from './http.js'
import { presentAuthorities } from './pki/authorities.js'
import { CollectedTraces } from './traces.js'
import { until } from './until.js'
import { WebhookSink } from './webhook-sink.js'

/** The organization of those who sign, which has a webhook. */
export const ORGANIZATION = 'BIN200140000019'

/** Hosts that are traced, and a receiver of webhooks, anew for each test of a suite. */
export function tracedHosts() {
  const authorities = presentAuthorities()
  const signer = authorities.named('head-1')
  const hosts: TestHost[] = []
  let traces: CollectedTraces
  let sink: WebhookSink
  let made = 0
  beforeEach(async () => {
    traces = new CollectedTraces()
    sink = await WebhookSink.start()
  })
  afterEach(async () => {
    for (const host of hosts.splice(0)) await host.close()
    await sink.close()
    traces.close()
  })
  // Without its evidence, for which the authorities are asked.
  const signature = () =>
    signer.signCms(Buffer.from(`Contract ${++made}`), { timeStamp: false, ocsp: false }).toString('base64')
  return {
    authorities,
    signer,
    hosts,
    signature,
    get traces() {
      return traces
    },
    get sink() {
      return sink
    },
    /** How many were signed. */
    get made() {
      return made
    },
    /** Collects by an SDK that is configured otherwise. */
    collect(config: Partial<TracerConfig>) {
      traces.close()
      traces = new CollectedTraces(config)
    },
    async start(
      open: OpenDatabase,
      options: OpenTelemetryOptions = {},
      more: TestHostOptions = {},
      beside: readonly Binding[] = [],
    ) {
      const local: Plugin = {
        name: 'local',
        provides: [provideValue(WebhookAddresses, 'any'), provideValue(WebhookPorts, 'any'), ...beside],
      }
      const plugins = [devAuthorities({ authorities }), webhookHttp({}), local, openTelemetry(options)]
      const host = await startTestHost(open, { authorities, plugins, ...more })
      hosts.push(host)
      const settings = { request: { webhooks: { urls: [sink.url] } } }
      await host.registry.get(SaveOrganizationSettings).execute(headCaller({ bin: ORGANIZATION }), settings)
      traces.forget()
      return host
    },
    async register({ url }: TestHost, headers: Record<string, string> = {}) {
      const body = JSON.stringify({ title: 'A secret title', signature: signature() })
      const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body }
      const { status, json } = await request<{ documentId: string }>(`${url}/api`, init)
      expect(status).to.equal(200)
      return json.documentId
    },
    /** Spans end with the last byte of an answer, which its reader may have first. */
    ended: (name: string | RegExp, count = 1) => until(async () => traces.named(name).length >= count),
  }
}
