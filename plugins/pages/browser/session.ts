import { client } from './api.js'

// A link in a mail opens a page without the session cookie (SameSite=Strict). Reloads it once, from this origin; a page that
// knows its visitor clears that flag, and remembers that somebody is logged in (every-page.ts).
const here = location.href
if (sessionStorage.getItem('asked again') !== here) {
  sessionStorage.setItem('asked again', here)
  client.getAuthentication().then(
    () => location.replace(here),
    () => localStorage.removeItem('logged in'),
  )
}
