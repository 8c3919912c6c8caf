/** Titles in every kind of script, each with a brand's colour and the name of a site. */
export const TITLES: Record<string, { title: string; brandColor: string; siteName: string; rightToLeft?: true }> = {
  latin: {
    title: 'How to Choose the Right Chain Lubricant for Your Commuter Bike in 2026',
    brandColor: '#0a7d5c',
    siteName: 'Pedal & Spoke',
  },
  cyrillic: {
    title: 'Как выбрать смазку для велосипедной цепи: полное руководство',
    brandColor: '#ffd400',
    siteName: 'Велоблог',
  },
  arabic: {
    title: 'دليل Shopify (2026) الكامل: 10 نصائح لتحسين محركات البحث في متجرك!',
    brandColor: '#7a1fa2',
    siteName: 'متجر الدراجات',
    rightToLeft: true,
  },
  hebrew: {
    title: 'המדריך המלא לתחזוקת שרשרת האופניים (SEO) בשנת 2026',
    brandColor: '#eeeeee',
    siteName: 'בלוג',
    rightToLeft: true,
  },
  chinese: {
    title: '如何保养自行车链条：从清洁、润滑到更换的完整指南（2026年版）',
    brandColor: '#d32f2f',
    siteName: '骑行生活',
  },
  japanese: {
    title: '自転車のチェーンを長持ちさせる方法：初心者のためのメンテナンスガイド',
    brandColor: '#00695c',
    siteName: 'サイクルライフ',
  },
  korean: { title: '자전거 체인 관리 방법: 초보자를 위한 완벽 가이드', brandColor: '#3949ab', siteName: '자전거' },
  hindi: {
    title: 'अपनी साइकिल की चेन को साफ और चिकना रखने की संपूर्ण मार्गदर्शिका',
    brandColor: '#ff9933',
    siteName: 'साइकिल ब्लॉग',
  },
  bengali: { title: 'সাইকেলের চেইন পরিষ্কার রাখার সম্পূর্ণ নির্দেশিকা', brandColor: '#006a4e', siteName: 'সাইকেল' },
  thai: {
    title: 'วิธีดูแลรักษาโซ่จักรยานให้ใช้งานได้นานที่สุดสำหรับผู้เริ่มต้น',
    brandColor: '#795548',
    siteName: 'จักรยาน',
  },
  emoji: {
    title: 'Launch 🚀 faster with your team 👩‍💻👨🏽‍💻 — what we ❤️ in 🇩🇪 and 5️⃣ more ✅',
    brandColor: '#1a1a2e',
    siteName: 'Ship it 🛳️',
  },
  'two-hundred-characters': {
    title:
      'The complete, unabridged and continually updated reference handbook of preventive maintenance procedures for electrically assisted commuter bicycles operated throughout the wet European winters of now',
    brandColor: '#8899aa',
    siteName: 'A rather long name of a site for bicycles',
  },
  'one-long-word': {
    title: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
    brandColor: '#000000',
    siteName: '',
  },
}
