import { radosgwIsInstalled, startRadosgw } from './radosgw.js'
import { startSwift, swiftIsInstalled } from './swift.js'

/** What tests of S3 run on, each where it is installed; with its variable set to 1 it has to be. */
export const objectStores = [
  { name: 'OpenStack Swift', isInstalled: swiftIsInstalled, start: startSwift, required: 'REQUIRE_SWIFT' },
  { name: 'Ceph', isInstalled: radosgwIsInstalled, start: startRadosgw, required: 'REQUIRE_RADOSGW' },
] as const
