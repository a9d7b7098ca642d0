<?php
/** The refund of the order panel. The shop's own refund makes a credit slip, and its hooks cannot say no: so money goes back from here. */

defined( '_PS_VERSION_' ) || exit;

/**
 * @param string $typed As the owner typed the amount.
 * @return true|Tillkit_Error
 */
function tillkit_refund_from_panel( string $order_id, string $typed ) {
	$amount = tillkit_typed_amount( $typed );
	if ( $amount instanceof Tillkit_Error ) {
		return $amount;
	}
	$used   = '';
	$result = tillkit_refund_once(
		$order_id,
		static function ( Tillkit_Order $order ) use ( $amount, &$used ): array {
			$name = static function ( string $kind, string $name ) use ( $order, $amount, &$used ): void {
				if ( 'refund_key' === $kind ) {
					$used = $name;
					tillkit_store_refund_row( $order, $name, '', $amount );
				} else {
					tillkit_name_refund( $order, $used, $name );
				}
			};
			return array( 'amount' => $amount, 'shown' => tillkit_shown_refunds( $order ), 'name' => $name );
		}
	);
	if ( $result instanceof Tillkit_Error && '' !== $used ) {
		// Not made, or not known to be made: the order keeps the key for the next click. What the checkout server has reported since stays.
		tillkit_change_rows( 'DELETE FROM `' . _DB_PREFIX_ . "tillkit_refund` WHERE `refund` = '' AND `id_refund` = '" . md5( "$order_id $used" ) . "'" );
	}
	return $result;
}

/** Without the refund that is being made. @return array{total:string,refunds:array}|null */
function tillkit_shown_refunds( Tillkit_Order $order ): ?array {
	$current = tillkit_unconfirmed_refund( $order )['key'] ?? '';
	$shown   = array();
	foreach ( tillkit_refunds( $order ) as $refund ) {
		if ( '' === $current || $refund['refund_key'] !== $current ) {
			$shown[] = array( 'age' => max( 0, time() - $refund['at'] ) ) + array_diff_key( $refund, array( 'at' => true ) );
		}
	}
	return count( $shown ) > TILLKIT_LISTED_REFUNDS ? null : array(
		'total'   => $order->total(),
		'refunds' => $shown,
	);
}

/** What the credit slips of the order promise and its refunds have not given yet; empty if nothing. With the decimals that can be paid. */
function tillkit_amount_of_slips( Tillkit_Prestashop_Order $order ): string {
	$ids      = implode( ', ', array_keys( $order->states() ) );
	$rows     = tillkit_select( 'SELECT SUM(`total_products_tax_incl` + `total_shipping_tax_incl`) AS `total` FROM `' . _DB_PREFIX_ . "order_slip` WHERE `id_order` IN ($ids)" );
	$missing  = (float) $rows[0]['total'] - (float) array_sum( array_column( tillkit_refunds( $order ), 'amount' ) );
	$decimals = TILLKIT_MAX_DECIMALS[ $order->currency() ] ?? 2;
	$amount   = number_format( $missing, $decimals, '.', '' );
	return (float) $amount > 0 ? $amount : '';
}
