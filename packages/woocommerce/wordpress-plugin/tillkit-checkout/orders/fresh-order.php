<?php
/** Reads orders from the database: an order that was read before its lock was acquired may have changed. */

defined( 'ABSPATH' ) || exit;

/** Clears every cache first. Null if the order does not exist. */
function tillkit_fresh_order( int $order_id ): ?WC_Order {
	clean_post_cache( $order_id );
	wp_cache_delete( WC_Order::generate_meta_cache_key( $order_id, 'orders' ), 'orders' );
	foreach ( array(
		array( 'Automattic\WooCommerce\Caches\OrderCache', 'remove', $order_id ),
		array( 'Automattic\WooCommerce\Internal\DataStores\Orders\OrdersTableDataStore', 'clear_cached_data', array( $order_id ) ),
		array( 'Automattic\WooCommerce\Internal\DataStores\Orders\OrdersTableDataStoreMeta', 'clear_cached_data', array( $order_id ) ),
	) as $cache ) {
		list( $class, $method, $argument ) = $cache;
		// Not every version of WooCommerce has all of these classes.
		if ( class_exists( $class ) && method_exists( $class, $method ) ) {
			wc_get_container()->get( $class )->$method( $argument );
		}
	}
	$order = wc_get_order( $order_id );
	return $order instanceof WC_Order ? $order : null;
}
