/**
 * There is no such recipient, today or tomorrow. Every other failure is worth another try.
 * Its message is kept, so it quotes no address.
 */
export class RefusedForGood extends Error {}
