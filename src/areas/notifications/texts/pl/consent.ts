import type { ConsentTexts } from '../language.ts'

/** What customers agree to, in Polish. */
export const consent: ConsentTexts = {
  immediateStart:
    'Żądam rozpoczęcia realizacji mojego zamówienia od razu, przed upływem 14-dniowego terminu na ' +
    'odstąpienie od umowy. Wiem, że jeśli odstąpię od umowy, zapłacę za część świadczenia spełnioną ' +
    'do tego czasu.',
}
