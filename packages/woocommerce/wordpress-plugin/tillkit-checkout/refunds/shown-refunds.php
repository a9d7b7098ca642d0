<?php
/**
 * The refunds that an order shows, for the checkout server: it knows by them which refund the owner asks for once more, and which one the order
 * has lost. A refund that the owner asked for has our key as its meta `_tillkit_refund_key`, and `_tillkit_refund_id` once the service has
 * named it; one that the checkout server recorded has the id alone. A refund that was entered by hand has neither.
 */

defined( 'ABSPATH' ) || exit;

add_action( 'woocommerce_create_refund', 'tillkit_begin_refund', 10, 2 );

/**
 * WooCommerce saves a refund before it asks the gateway for the money, and deletes it after an error. Another plugin may call the action
 * with less.
 */
function tillkit_begin_refund( $refund, $input = array() ): void {
	if ( $refund instanceof WC_Order_Refund && ( $input['refund_payment'] ?? false ) ) {
		tillkit_refund_being_created( $refund );
	}
}

/** The refund for which WooCommerce asks the gateway in this request. Null: another plugin asks without a refund. */
function tillkit_refund_being_created( ?WC_Order_Refund $begun = null ): ?WC_Order_Refund {
	static $current = null;
	$current        = $begun ?? $current;
	return $current;
}

/**
 * Our key is stored before the first call, so that a refund whose request died is known by it. The service's id is stored with the answer: a
 * checkout server whose ledger was restored from a backup has forgotten the key, and reports the refund by its id alone.
 */
function tillkit_name_refund( WC_Order $order, string $meta, string $name ): void {
	$refund = tillkit_refund_being_created();
	if ( null !== $refund && $refund->get_parent_id() === $order->get_id() ) {
		$refund->update_meta_data( $meta, $name );
		$refund->save_meta_data();
	}
}

/**
 * Without the refund that is being created. `age`: seconds, because the clocks of shop and checkout server may differ.
 *
 * @return array{total:string,refunds:array<int,array{refund:string,refund_key:string,amount:string,age:int}>}|null
 */
function tillkit_shown_refunds( WC_Order $order ): ?array {
	$current = tillkit_refund_being_created();
	$shown   = array();
	foreach ( tillkit_refunds_of( $order, TILLKIT_LISTED_REFUNDS + 2 ) as $refund ) {
		if ( null === $current || $refund->get_id() !== $current->get_id() ) {
			$created = $refund->get_date_created();
			$shown[] = array(
				'refund'     => (string) $refund->get_meta( '_tillkit_refund_id' ),
				'refund_key' => (string) $refund->get_meta( '_tillkit_refund_key' ),
				'amount'     => tillkit_exact_amount( $refund->get_amount(), (string) $order->get_currency() ),
				'age'        => null === $created ? 0 : max( 0, time() - $created->getTimestamp() ),
			);
		}
	}
	if ( count( $shown ) > TILLKIT_LISTED_REFUNDS ) {
		return null;
	}
	return array(
		'total'   => tillkit_order( $order )->total(),
		'refunds' => $shown,
	);
}

/**
 * Read from the database and not from the order, which keeps its list of refunds in a cache.
 *
 * @return WC_Order_Refund[]
 */
function tillkit_refunds_of( WC_Order $order, int $limit ): array {
	return wc_get_orders(
		array(
			'type'   => 'shop_order_refund',
			'parent' => $order->get_id(),
			'limit'  => $limit,
		)
	);
}
