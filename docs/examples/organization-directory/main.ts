import { readConfig, startHost, stockPlugins } from '@signed-registry/host'
import { listedOrganizations, organizationDirectory } from './directory.js'

// The stock host with one more plugin.
const config = readConfig(process.env)
const host = await startHost({
  config,
  plugins: [
    ...stockPlugins(config),
    organizationDirectory({ keptDays: 30 }),
    listedOrganizations({ names: { '123456789021': 'Жұлдыз ЖШС' } }),
  ],
})
console.log(`The registry is at ${host.url}\nTry ${host.url}/api/organizations/123456789021. Stop with Ctrl+C.`)
process.once('SIGTERM', () => void host.close())
