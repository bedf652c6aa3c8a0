// The language first: texts are of the language that the page has when they are loaded.
import './offline/language.js'
import './offline/page.js'
