import type { CertificateInUse, CertificatesInUse } from '../kernel/certificates-in-use.js'
import type { Reloadable, Reread } from '../kernel/reload.js'
import type { Injected } from '../kernel/service.js'
import { TrustStore } from './ports.js'

/** The trust anchors of a registry: when they end, and what reads them anew. */
export class TrustAnchors implements Reloadable, CertificatesInUse {
  static readonly inject = { trust: TrustStore }

  constructor(private readonly use: Injected<typeof TrustAnchors.inject>) {}

  certificates(): readonly CertificateInUse[] {
    const { anchors } = this.use.trust.trust()
    return anchors.map(({ subject, notAfter }) => ({ use: 'trust anchor', subject: `${subject}`, endsAt: notAfter }))
  }

  async reread(): Promise<Reread> {
    return (await this.use.trust.reread?.()) ?? { changed: undefined, apply: () => undefined }
  }
}
