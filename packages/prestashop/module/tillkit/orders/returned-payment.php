<?php
/**
 * A payment that claimed an order, whose call died, and whose money has gone back since. It pays nothing, and the checkout server never makes the
 * call that would end it: so it must not keep the order from the next payment.
 */

defined( '_PS_VERSION_' ) || exit;

/** @param string[] $returned The payments of the order whose money has gone back. */
function tillkit_is_given_up( Tillkit_Prestashop_Order $order, array $returned ): bool {
	return ! $order->is_recorded() && in_array( tillkit_own_payment( $order ), $returned, true );
}

/**
 * Takes the claim of a payment that was given up. The caller holds the lock of the order. Where the dead call had set the paid state already, the
 * next payment takes its place, because the order is paid once, unless its owner has closed it since; else the order is as it was before the claim.
 *
 * @param string $next The id of the next payment; empty if there is none.
 */
function tillkit_take_claim( Tillkit_Prestashop_Order $order, string $next = '' ): Tillkit_Prestashop_Order {
	$given_up = tillkit_own_payment( $order );
	// Each call adds its row before it sets the state. A paid state without that row is another's: the owner had set it before.
	$has_set_paid = tillkit_has_payment_row( $order ) && tillkit_is_in_paid_state( $order ) && ! tillkit_is_closed( $order );
	tillkit_take_row_back( $order );
	$claim = '' !== $next && $has_set_paid ? tillkit_sql( $next ) : 'NULL';
	tillkit_change_rows( 'UPDATE `' . _DB_PREFIX_ . "tillkit_order` SET `payment_id` = $claim, `transaction_id` = '' WHERE `is_recorded` = 0 AND `payment_id` = " . tillkit_sql( $given_up ) . ' AND `id_order` = ' . (int) $order->id() );
	/* translators: %s: the id of a payment */
	tillkit_store_note( (int) $order->id(), sprintf( tillkit_text( 'The money of payment %s went back before the shop had recorded it. Another payment can pay the order.' ), $given_up ), "given up $given_up" );
	return tillkit_fresh_order( (int) $order->id() );
}

/** The row of the dead call stays, because its money did arrive. Beside it stands, once, that it went back. */
function tillkit_take_row_back( Tillkit_Prestashop_Order $order ): void {
	$rows = tillkit_select( 'SELECT SUM(`amount`) AS `amount`, MAX(`payment_method`) AS `method` FROM `' . _DB_PREFIX_ . 'order_payment` WHERE ' . tillkit_is_row_of( $order ) );
	if ( (float) ( $rows[0]['amount'] ?? 0 ) > 0 ) {
		tillkit_load_order( (int) $order->id() )->addOrderPayment( '-' . $rows[0]['amount'], (string) $rows[0]['method'], $order->transaction() );
	}
}
