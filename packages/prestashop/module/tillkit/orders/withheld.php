<?php
/**
 * What the shop makes with an order and the customer gets only after the payment: the e-mails that confirm it, which the shop sends in every state but error
 * and cancelled, and the rest of a voucher that is larger than the cart.
 */

defined( '_PS_VERSION_' ) || exit;

/** Runs the work, in which the shop makes the order of a cart, and withholds what it gives to the customer. */
function tillkit_withhold_of_cart( int $cart_id, callable $work ): void {
	$GLOBALS['tillkit_withheld_cart'] = $cart_id;
	try {
		$work();
	} finally {
		$GLOBALS['tillkit_withheld_cart'] = null;
	}
}

/**
 * For the hook actionEmailSendBefore.
 *
 * @param array $mail The parameters of Mail::Send().
 * @return bool Whether the shop sends the e-mail now.
 */
function tillkit_is_mail_sent_now( array $mail ): bool {
	$cart_id = $GLOBALS['tillkit_withheld_cart'] ?? null;
	if ( null === $cart_id ) {
		return true;
	}
	unset( $mail['cookie'], $mail['cart'], $mail['altern'] );
	$text = tillkit_json( $mail );
	if ( '' === $text ) {
		// A file is no text. The confirmation of an unpaid order has none of the shop's own.
		unset( $mail['fileAttachment'] );
		$text = tillkit_json( $mail );
	}
	tillkit_withhold( (int) $cart_id, 0, $text );
	return false;
}

/** For the hook actionObjectCartRuleAddAfter. */
function tillkit_withhold_voucher( int $voucher_id ): void {
	$cart_id = $GLOBALS['tillkit_withheld_cart'] ?? null;
	if ( null !== $cart_id ) {
		tillkit_withhold( (int) $cart_id, $voucher_id, '' );
		tillkit_change_rows( 'UPDATE `' . _DB_PREFIX_ . "cart_rule` SET `active` = 0 WHERE `id_cart_rule` = $voucher_id" );
	}
}

function tillkit_withhold( int $cart_id, int $voucher_id, string $mail ): void {
	// An order that is being cancelled before it was ever confirmed tells its customer nothing.
	if ( $cart_id > 0 ) {
		Db::getInstance()->execute( 'INSERT INTO `' . _DB_PREFIX_ . "tillkit_withheld` (`id_withheld`, `id_cart`, `id_voucher`, `mail`) VALUES ('" . bin2hex( random_bytes( 16 ) ) . "', $cart_id, $voucher_id, " . tillkit_sql( $mail ) . ')', false );
	}
}

/** Releases what was withheld, once: who deletes a row has it. An e-mail whose request then dies is not sent: better none than two. */
function tillkit_release_withheld( int $cart_id, string $paid_with ): void {
	foreach ( tillkit_select( 'SELECT * FROM `' . _DB_PREFIX_ . "tillkit_withheld` WHERE `id_cart` = $cart_id" ) as $row ) {
		if ( 1 !== tillkit_change_rows( 'DELETE FROM `' . _DB_PREFIX_ . 'tillkit_withheld` WHERE `id_withheld` = ' . tillkit_sql( $row['id_withheld'] ) ) ) {
			continue;
		}
		if ( (int) $row['id_voucher'] > 0 ) {
			tillkit_change_rows( 'UPDATE `' . _DB_PREFIX_ . 'cart_rule` SET `active` = 1 WHERE `id_cart_rule` = ' . (int) $row['id_voucher'] );
			continue;
		}
		$mail = json_decode( (string) $row['mail'], true );
		if ( is_array( $mail ) ) {
			tillkit_send_withheld_mail( $mail, $paid_with );
		}
	}
}

function tillkit_send_withheld_mail( array $mail, string $paid_with ): void {
	// The shop wrote "waiting for the payment" where the e-mail names the method.
	if ( isset( $mail['templateVars']['{payment}'] ) ) {
		$mail['templateVars']['{payment}'] = $paid_with;
	}
	try {
		Mail::Send( $mail['idLang'], $mail['template'], $mail['subject'], $mail['templateVars'], $mail['to'], $mail['toName'] ?? null, $mail['from'] ?? null, $mail['fromName'] ?? null, $mail['fileAttachment'] ?? null, null, $mail['templatePath'], false, $mail['idShop'] ?? null, $mail['bcc'] ?? null, $mail['replyTo'] ?? null );
	} catch ( Throwable $error ) {
		tillkit_log_foreign_error( $error );
	}
}

/** The owner has set the order to a paid state. */
function tillkit_release_withheld_of_order( int $order_id ): void {
	$order = tillkit_order_of_shop_order( $order_id );
	if ( null !== $order ) {
		tillkit_release_withheld( $order->cart_id(), tillkit_method_text( '' ) );
	}
}
