import type { ConsentTexts } from '../language.ts'

/** What customers agree to, in French. */
export const consent: ConsentTexts = {
  immediateStart:
    "Je demande que l'exécution de ma commande commence immédiatement, avant la fin du délai de " +
    'rétractation de 14 jours. Je reconnais que, si je me rétracte, je dois payer la part du service ' +
    'fournie jusque-là.',
}
