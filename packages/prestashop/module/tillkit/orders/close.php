<?php
/** Cancels an order that nobody paid, and gives back what it had taken. */

defined( '_PS_VERSION_' ) || exit;

/**
 * The caller holds the lock of the order. The shop gives the stock back when a waiting order is cancelled, and never a voucher.
 *
 * @param array{order:string,key:string,returned:string[]} $request
 */
function tillkit_close( array $request ): array {
	$order = tillkit_order_of_call( $request );
	if ( null !== $order && tillkit_is_given_up( $order, $request['returned'] ) && tillkit_is_payable( $order ) ) {
		$order = tillkit_take_claim( $order );
	}
	$is_waiting = null !== $order && null === tillkit_paid_by( $order ) && array( tillkit_state( 'waiting' ) ) === array_values( array_unique( $order->states() ) );
	if ( $is_waiting ) {
		tillkit_give_vouchers_back( $order );
		tillkit_withhold_of_cart(
			0,
			static function () use ( $order ): void {
				tillkit_set_states( $order, 'waiting', (int) Configuration::get( 'PS_OS_CANCELED' ) );
			}
		);
		$order = tillkit_fresh_order( (int) $order->id() );
	}
	return array(
		'outcome' => null === $order ? 'gone' : ( $is_waiting ? 'closed' : 'unchanged' ),
		'order'   => $request['order'],
		'status'  => null === $order ? null : $order->status(),
	);
}

/** A customer may use a voucher again whose row at the order is deleted. The rest of a larger one, made with the order, never becomes valid. */
function tillkit_give_vouchers_back( Tillkit_Prestashop_Order $order ): void {
	$ids  = implode( ', ', array_keys( $order->states() ) );
	$rows = tillkit_select( 'SELECT `id_order_cart_rule`, `id_cart_rule` FROM `' . _DB_PREFIX_ . "order_cart_rule` WHERE `deleted` = 0 AND `id_order` IN ($ids)" );
	// The orders of one cart share a voucher, of which the shop took one.
	$given = array();
	foreach ( $rows as $row ) {
		$voucher = (int) $row['id_cart_rule'];
		$is_last = 1 === tillkit_change_rows( 'UPDATE `' . _DB_PREFIX_ . 'order_cart_rule` SET `deleted` = 1 WHERE `deleted` = 0 AND `id_order_cart_rule` = ' . (int) $row['id_order_cart_rule'] );
		if ( $is_last && ! in_array( $voucher, $given, true ) ) {
			$given[] = $voucher;
			tillkit_change_rows( 'UPDATE `' . _DB_PREFIX_ . "cart_rule` SET `quantity` = `quantity` + 1 WHERE `id_cart_rule` = $voucher" );
		}
	}
	tillkit_change_rows( 'DELETE FROM `' . _DB_PREFIX_ . 'tillkit_withheld` WHERE `id_voucher` > 0 AND `id_cart` = ' . $order->cart_id() );
}
