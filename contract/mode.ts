/** In test mode no money moves: with the sandbox that Till brings along, or a sandbox account of SumUp. */
export type Mode = 'test' | 'live'

export const modeOf = (isTest: boolean): Mode => (isTest ? 'test' : 'live')
