<?php
/** The e-mail to the owner: money of an order waits for a decision. Without personal data: an e-mail is not a safe place for it. */

defined( '_PS_VERSION_' ) || exit;

function tillkit_mail_decision( Tillkit_Order $order ): void {
	$shop_id  = tillkit_host()->shop_id();
	$language = new Language( (int) Configuration::get( 'PS_LANG_DEFAULT', null, null, $shop_id ) );
	$to       = (string) Configuration::get( 'PS_SHOP_EMAIL', null, null, $shop_id );
	$send     = static function () use ( $order, $language, $to, $shop_id ): void {
		/* translators: %s: an order's number */
		$subject = sprintf( tillkit_text( 'Order %s: a payment needs your decision' ), $order->number() );
		$reasons = implode( "\n", array_map( 'tillkit_decision_text', tillkit_decision_reasons( $order ) ) );
		$vars    = array( '{tillkit_order}' => $order->number(), '{tillkit_reasons}' => $reasons );
		Mail::Send( (int) $language->id, 'tillkit_decision', $subject, $vars, $to, null, null, null, null, null, dirname( __DIR__ ) . '/mails/', false, $shop_id );
	};
	try {
		tillkit_host()->with_locale( (string) $language->locale, $send );
	} catch ( Throwable $error ) {
		tillkit_log_foreign_error( $error );
	}
}
