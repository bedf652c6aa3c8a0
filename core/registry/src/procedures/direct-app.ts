import { codeWithLogo } from '../qr/index.js'
import { launchLinks, qrText } from './links.js'
import type { AnnouncedProcedure, Announcement, MobileApp } from './mobile-app.js'

/** The app comes to the address of this service. */
export class DirectApp implements MobileApp {
  static readonly inject = {}

  async announce({ address, logo }: AnnouncedProcedure): Promise<Announcement> {
    return { qrCode: codeWithLogo(qrText(address), logo), ...launchLinks(address) }
  }
}
