export { OpenTelemetryOptions, openTelemetry } from './opentelemetry.js'
