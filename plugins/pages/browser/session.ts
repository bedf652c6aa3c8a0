import { client } from './api.js'

// A link from a mail opens a page without the session cookie (SameSite=Strict). From here the page is asked for again, once:
// a page that knows its visitor forgets it, and remembers that somebody is logged in (common.ts).
const here = location.href
if (sessionStorage.getItem('asked again') !== here) {
  sessionStorage.setItem('asked again', here)
  client.getAuthentication().then(
    () => location.replace(here),
    () => localStorage.removeItem('logged in'),
  )
}
