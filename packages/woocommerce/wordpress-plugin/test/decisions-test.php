<?php
/** Orders with money that waits for the owner's decision: how they are marked, listed and reported by e-mail. */

/** The outcome of a `decision` call of the checkout server. */
function show_decision( array $reasons, array $change = array() ): WP_REST_Response {
	do_action( 'rest_api_init' );
	$body = json_encode( $change + array( 'order' => '1042', 'key' => 'wc_order_AbC123xyZ', 'reasons' => $reasons ) );
	return $GLOBALS['routes']['tillkit/v1/decision']['callback']( signed_request( 'decision', $body ) );
}

/** Writes over WooCommerce's REST API, as the checkout server does while it cannot reach the plugin. */
function write_over_rest( string $key, string $value ): void {
	$order = wc_get_order( 1042 );
	$order->update_meta_data( $key, $value );
	$order->save();
	$request = array( 'meta_data' => array( compact( 'key', 'value' ) ) );
	do_action( 'woocommerce_rest_insert_shop_order_object', wc_get_order( 1042 ), $request, false );
}

/** @return string[] The columns of the order list. */
function order_list_columns(): array {
	$columns = array( 'order_number' => 'Order', 'order_status' => 'Status', 'order_total' => 'Total' );
	$filter  = Stubs::$hpos ? 'woocommerce_shop_order_list_table_columns' : 'manage_edit-shop_order_columns';
	return array_keys( apply_filters( $filter, $columns ) );
}

function order_list_cell( int $id ): string {
	return output_of(
		static function () use ( $id ): void {
			if ( Stubs::$hpos ) {
				do_action( 'woocommerce_shop_order_list_table_custom_column', 'tillkit_decision', wc_get_order( $id ) );
			} else {
				do_action( 'manage_shop_order_posts_custom_column', 'tillkit_decision', $id );
			}
		}
	);
}

test(
	'The owner gets one e-mail when money waits for a decision, however often it is reported',
	static function (): void {
		place_order();
		update_option( 'admin_email', 'owner@shop.example' );
		assert_same( vectors( 'answers' )['decision'], show_decision( array( 'held' ) )->data );
		show_decision( array( 'held' ) );
		assert_same( 1, count( Stubs::$owner_mails ) );
		assert_same( 'owner@shop.example', Stubs::$owner_mails[0]['to'] );
		assert_same( 'Order 1042: a payment needs your decision', Stubs::$owner_mails[0]['subject'] );
		assert_contains( 'A payment arrived that does not match the order.', Stubs::$owner_mails[0]['message'] );
		assert_contains( 'page=wc-orders&#038;action=edit&#038;id=1042', Stubs::$owner_mails[0]['message'] );
		show_decision( array( 'duplicate', 'held' ) );
		assert_same( 2, count( Stubs::$owner_mails ) );
		show_decision( array( 'duplicate' ) );
		show_decision( array() );
		assert_same( 2, count( Stubs::$owner_mails ) );
		assert_same( '', wc_get_order( 1042 )->get_meta( '_tillkit_decision' ) );
		show_decision( array( 'held' ) );
		assert_same( 3, count( Stubs::$owner_mails ) );
	}
);

test(
	'The owner gets the e-mail also while the checkout server cannot reach the plugin and writes over the REST API',
	static function (): void {
		place_order();
		update_option( 'admin_email', 'owner@shop.example' );
		write_over_rest( '_tillkit_decision', 'duplicate' );
		write_over_rest( '_tillkit_decision', 'duplicate' );
		assert_same( 1, count( Stubs::$owner_mails ) );
		write_over_rest( '_tillkit_decision', '' );
		assert_same( array(), tillkit_waiting_orders() );
	}
);

test(
	'The owner can turn the e-mail off, give other recipients and read it as plain text',
	static function (): void {
		place_order( array( 'id' => 1042 ) );
		update_option( 'woocommerce_tillkit_decision_settings', array( 'enabled' => 'no' ) );
		show_decision( array( 'held' ) );
		assert_same( array(), Stubs::$owner_mails );
		update_option( 'woocommerce_tillkit_decision_settings', array( 'recipient' => 'till@shop.example', 'email_type' => 'plain' ) );
		show_decision( array( 'refund_failed' ) );
		assert_same( 'till@shop.example', Stubs::$owner_mails[0]['to'] );
		assert_contains( "\n\nA refund failed: the customer did not get the money.", Stubs::$owner_mails[0]['message'] );
		assert_not_contains( '<p>', Stubs::$owner_mails[0]['message'] );
	}
);

test(
	'A decision call about an order of a copy of the shop changes nothing, and unknown reasons are left out',
	static function (): void {
		place_order();
		assert_same( 'gone', show_decision( array( 'held' ), array( 'key' => 'wc_order_of_the_copy' ) )->data['outcome'] );
		assert_same( 'gone', show_decision( array( 'held' ), array( 'order' => '7' ) )->data['outcome'] );
		assert_same( 400, show_decision( array( array( 'held' ) ) )->status );
		assert_same( 400, show_decision( array(), array( 'reasons' => 'held' ) )->status );
		assert_same( array(), stored_order()['meta'] );
		show_decision( array( '<script>', 'held', 'reason_of_a_newer_version' ) );
		assert_same( 'held', stored_order()['meta']['_tillkit_decision'] );
	}
);

foreach ( array( 'in their own tables' => true, 'stored as posts' => false ) as $storage => $hpos ) {
	test(
		"The order list marks, counts and filters the orders that wait for the owner, for orders $storage",
		static function () use ( $hpos ): void {
			Stubs::$hpos     = $hpos;
			Stubs::$is_admin = true;
			place_order();
			place_order( array( 'id' => 1043, 'status' => 'trash' ) );
			do_action( 'admin_menu' );
			assert_same( array(), Stubs::$menu );
			assert_same( array( 'order_number', 'order_status', 'order_total' ), order_list_columns() );
			show_decision( array( 'closed' ), array( 'order' => '1043' ) );
			assert_same( array( 'order_number', 'order_status', 'tillkit_decision', 'order_total' ), order_list_columns() );
			assert_contains( '<span>Your decision</span>', order_list_cell( 1043 ) );
			assert_contains( 'cancelled or deleted', order_list_cell( 1043 ) );
			assert_same( '', order_list_cell( 1042 ) );
			do_action( 'admin_menu' );
			list( $address, $entry ) = array( key( Stubs::$menu ), current( Stubs::$menu ) );
			assert_contains( 'Payments to decide <span class="awaiting-mod update-plugins count-1">', $entry );
			parse_str( (string) parse_url( $address, PHP_URL_QUERY ), $_GET );
			assert_same( 'decide', $_GET['tillkit'] );
		}
	);
}

test(
	'The filter of the order list finds orders in the trash and corrects the number of pages',
	static function (): void {
		place_order( array( 'status' => 'trash' ) );
		place_order( array( 'id' => 1043, 'status' => 'processing' ) );
		show_decision( array( 'closed' ) );
		$query = array( 'limit' => 20, 'status' => array( 'wc-processing' ), 'return' => 'ids' );
		$list  = 'woocommerce_shop_order_list_table_prepare_items_query_args';
		assert_same( array( 1043 ), wc_get_orders( apply_filters( $list, $query ) ) );
		assert_same( 7, apply_filters( 'woocommerce_shop_order_list_table_order_count', 7, array() ) );
		$_GET['tillkit'] = 'decide';
		assert_same( array( 1042 ), wc_get_orders( apply_filters( $list, $query ) ) );
		assert_same( 1, apply_filters( 'woocommerce_shop_order_list_table_order_count', 7, array() ) );
		assert_contains( '<option value="decide" selected>Waiting for your decision (1)</option>', output_of( static function (): void {
			do_action( 'woocommerce_order_list_table_restrict_manage_orders', 'shop_order', 'top' );
		} ) );
	}
);

test(
	'The filter for orders stored as posts changes only the list of orders in the administration',
	static function (): void {
		Stubs::$hpos     = false;
		$_GET['tillkit'] = 'decide';
		place_order();
		show_decision( array( 'held' ) );
		$orders = array( 'post_type' => 'shop_order' );
		assert_same( $orders, apply_filters( 'request', $orders ) );
		Stubs::$is_admin = true;
		assert_same( array( 'post_type' => 'product' ), apply_filters( 'request', array( 'post_type' => 'product' ) ) );
		assert_same( array( 0, 1042 ), apply_filters( 'request', $orders )['post__in'] );
	}
);

test(
	'Users who cannot edit orders see no entry in the menu',
	static function (): void {
		place_order();
		show_decision( array( 'held' ) );
		Stubs::$capabilities = array( 'read' );
		do_action( 'admin_menu' );
		assert_same( array(), Stubs::$menu );
	}
);

test(
	'A cancelled order whose payment is still here says so until the payment is refunded',
	static function (): void {
		place_order( array( 'status' => 'processing', 'date_paid' => time(), 'meta' => array( '_tillkit_payment_id' => 'payment-a' ) ) );
		$cancel = static function (): void {
			$order = wc_get_order( 1042 );
			$order->set_status( 'cancelled' );
			$order->save();
		};
		$cancel();
		assert_contains( 'its payment is still here. Refund it', stored_order()['notes'][0] );
		assert_same( array( 1042 ), tillkit_waiting_orders() );
		assert_contains( 'its payment is still here', output_of( static function (): void {
			tillkit_show_order_box( wc_get_order( 1042 ) );
		} ) );
		change_refunds( 1042, static function (): array {
			return array( array( 'amount' => '5000' ) );
		} );
		do_action( 'woocommerce_order_refunded', 1042, 7 );
		assert_same( '', stored_order()['meta']['_tillkit_attention'] ?? '' );
		place_order();
		$cancel();
		assert_same( array(), stored_order()['notes'] );
	}
);

test(
	'A cancelled order of 6,000 francs whose accepted payment of 5,000 went back no longer asks for a refund',
	static function (): void {
		foreach ( array( 'status', 'rest' ) as $way ) {
			place_order( array( 'total' => '6000', 'status' => 'processing', 'date_paid' => time(), 'meta' => array( '_tillkit_payment_id' => 'payment-a' ) ) );
			$order = wc_get_order( 1042 );
			$order->set_status( 'cancelled' );
			$order->save();
			change_refunds( 1042, static function (): array {
				return array( array( 'amount' => '5000' ) );
			} );
			do_action( 'woocommerce_order_refunded', 1042, 7 );
			assert_same( 'cancelled_paid', stored_order()['meta']['_tillkit_attention'] );
			if ( 'status' === $way ) {
				tillkit_follow_decision( tillkit_order( wc_get_order( 1042 ) ), array( 'reasons' => array(), 'payments' => array( array( 'payment' => 'payment-a', 'state' => 'refunded' ) ) ) );
			} else {
				write_over_rest( '_tillkit_lost_payment', 'payment-a' );
			}
			assert_same( '', stored_order()['meta']['_tillkit_attention'] ?? '', $way );
			assert_same( array(), tillkit_waiting_orders() );
		}
	}
);
