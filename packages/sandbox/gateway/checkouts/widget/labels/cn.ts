import type { Language } from "./language.ts";

/** Chinese, in simplified characters. */
export const cn: Language = {
  tag: "zh-Hans",
  direction: "ltr",
  labels: {
    accountHolder: "账户持有人",
    accountIban: "国际银行账号（IBAN）",
    brand: "卡类型",
    cardHolder: "持卡人",
    cardNumber: "卡号",
    continueTo: "前往 {brand}",
    cvv: "安全码（CVV）",
    cvvHint: "卡背面的三位数字；美国运通卡为正面的四位数字。",
    expiryDate: "有效期",
    expiryPlaceholder: "月 / 年",
    processing: "请稍候…",
    savedAccounts: "已保存的付款信息",
    showOtherPaymentMethods: "其他付款方式",
    store: "保存",
    storeDetails: "保存此信息以便下次购物",
    submit: "立即支付",
  },
  errors: {
    accountHolderError: "请输入账户持有人的姓名。",
    accountIbanError: "此 IBAN 无效。",
    cardHolderError: "请输入卡上显示的姓名。",
    cardNumberError: "此卡号无效。",
    cvvError: "此安全码无效。",
    expiryMonthError: "此有效期无效。",
    generalError: "表单未能提交，请重试。",
  },
};
