import type { ConsentTexts } from '../language.ts'

/** What customers agree to, in German. */
export const consent: ConsentTexts = {
  immediateStart:
    'Ich verlange ausdrücklich, dass die Ausführung meiner Bestellung sofort beginnt, bevor die ' +
    'Widerrufsfrist von 14 Tagen abgelaufen ist. Mir ist bekannt, dass ich bei einem Widerruf den ' +
    'bis dahin erbrachten Teil bezahle.',
}
