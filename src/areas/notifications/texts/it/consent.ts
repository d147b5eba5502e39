import type { ConsentTexts } from '../language.ts'

/** What customers agree to, in Italian. */
export const consent: ConsentTexts = {
  immediateStart:
    'Chiedo che l’esecuzione del mio ordine inizi subito, prima della fine del periodo di recesso ' +
    'di 14 giorni. So che, se recedo, dovrò pagare la parte del servizio fornita fino a quel momento.',
}
