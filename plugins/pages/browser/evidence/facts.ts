import { moment } from '../dates.js'
import { make, own } from '../dom.js'

/** A fact with what stands before it. */
export const fact = (term: string, value: HTMLElement | string): HTMLElement =>
  make('div', {}, make('dt', {}, term), make('dd', {}, value))

/** Several lines of one fact, in words of others. */
export const lines = (...all: readonly (HTMLElement | string)[]): HTMLElement =>
  make('div', {}, ...all.map((one) => make('div', {}, typeof one === 'string' ? own(one) : one)))

/** A time, or what stands for one: a registry that lies may write any. */
export const timeOf = (iso: string): string => (Number.isNaN(Date.parse(iso)) ? iso : moment(Date.parse(iso)))
