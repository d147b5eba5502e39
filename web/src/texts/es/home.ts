import type { Texts } from '../index.tsx'

export const home: Texts['home'] = {
  title: 'Inicio',
  hello: (name) => `Hola, ${name}`,
  none: 'Aún no tienes servidores',
  noneText: 'Elige un juego. Tu servidor estará listo poco después de que pagues.',
  chooseGame: 'Elegir un juego',
  otherLanguage: (language) =>
    `Las notificaciones y los correos te llegan en otro idioma: ${language}.`,
  speakEverywhere: (language) => `Usar ${language} en todo`,
  upcoming: 'Próximos pagos',
  nothingUpcoming: 'No hay ningún pago próximo.',
  allInvoices: 'Todas las facturas',
  renews: (date) => `Se renueva el ${date}`,
  ends: (date) => `Finaliza el ${date}`,
  credit: 'Saldo',
  addCredit: 'Añadir saldo',
  news: 'Notificaciones',
  noNews: 'Aún no hay notificaciones.',
  allNews: 'Todas las notificaciones',
  dueTitle: (count) =>
    count === 1 ? 'Hay una factura pendiente' : `Hay ${count} facturas pendientes`,
  due: (amount) => `Por pagar: ${amount}.`,
  seeInvoices: 'Ver facturas',
  suspended: 'Suspendido hasta que se pague su factura.',
  waitsForPayment: 'Pendiente de pago.',
  settingUp: 'Tu servidor se está instalando.',
  setUpFailed: 'La instalación tarda más de lo normal. Nuestro equipo ya está avisado.',
  filesUntil: (date) => `Sus archivos se conservan hasta el ${date}.`,
  unavailable: 'El estado en directo no está disponible en este momento.',
}
