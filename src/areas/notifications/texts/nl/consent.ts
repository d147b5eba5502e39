import type { ConsentTexts } from '../language.ts'

/** What customers agree to, in Dutch. */
export const consent: ConsentTexts = {
  immediateStart:
    'Ik vraag om mijn bestelling direct uit te voeren, voordat de bedenktijd van 14 dagen voorbij is. ' +
    'Ik weet dat ik bij herroeping betaal voor het deel dat tot dan toe is geleverd.',
}
