/** The steps of the first run, in the recommended order. */
export const STEPS = ['seller', 'brand', 'mail', 'payments', 'panel', 'product'] as const

export type StepName = (typeof STEPS)[number]
