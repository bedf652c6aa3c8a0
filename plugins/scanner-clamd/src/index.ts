export { ClamdScanner } from './clamd-scanner.js'
export { ScannerClamdOptions, scannerClamd } from './scanner-clamd.js'
