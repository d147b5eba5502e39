import type { ConsentTexts } from '../language.ts'

/** What customers agree to, in English. */
export const consent: ConsentTexts = {
  immediateStart:
    'I ask that my order begins at once, before the withdrawal period of 14 days is over. I know that ' +
    'if I withdraw, I pay for the part that was provided until then.',
}
