<?php
/** The pages of the shopper, and the calls, as they arrive over HTTP. */

test(
	'Two clicks on Pay make one order and lead to the same hosted page, also after the shop has emptied the session',
	static function (): void {
		$press = static function ( int $customer, string $method = 'POST' ): array {
			return Served_Shop::request( $method, front( 'pay', 'GET' === $method ? array( 'cart' => '1' ) : array() ), 'GET' === $method ? '' : 'cart=1', array( 'Content-Type: application/x-www-form-urlencoded', "X-Customer: $customer" ) );
		};
		$first  = $press( 7 );
		$second = $press( 7 );
		assert_same( array( 303, 303 ), array( $first['status'], $second['status'] ) );
		assert_contains( 'https://pay.example/bridge/v1/pay?store=boutique&order=1&key=', location( $first ) );
		$key = static function ( array $answer ): string {
			parse_str( (string) parse_url( location( $answer ), PHP_URL_QUERY ), $query );
			return $query['key'];
		};
		assert_same( $key( $first ), $key( $second ) );
		assert_same( 1, count( rows( 'SELECT * FROM ps_orders' ) ) );
		assert_contains( 'Cache-Control: no-store', $first['headers'] );
		assert_same( 302, $press( 8 )['status'], 'another customer;' );
		assert_same( 302, $press( 7, 'GET' )['status'], 'an address that a browser fetches in advance makes no order;' );
		assert_same( 1, count( rows( 'SELECT * FROM ps_orders' ) ) );
	}
);

test(
	'A cart that another module has made an order of, or whose product is gone, is not paid here',
	static function (): void {
		Db::getInstance()->execute( "INSERT INTO ps_orders (reference, id_cart, id_customer, id_shop, current_state, module, total_paid) VALUES ('A', 1, 7, 1, 1, 'ps_wirepayment', 5000)" );
		assert_same( null, tillkit_order_of_checkout( 1, module() ) );
		Db::getInstance()->execute( 'DELETE FROM ps_orders' );
		Db::getInstance()->execute( 'UPDATE ps_stock SET quantity = 0' );
		assert_same( null, tillkit_order_of_checkout( 1, module() ) );
		assert_same( array(), rows( 'SELECT * FROM ps_orders' ) );
	}
);

test(
	'An error of another module after the order was made does not lose the way to the hosted page',
	static function (): void {
		Hook::$listeners['actionValidateOrder'] = array( static function (): void { throw new TypeError( 'of another module' ); } );
		$order = tillkit_order_of_checkout( 1, module() );
		assert_contains( 'https://pay.example/bridge/v1/pay?', (string) tillkit_start_payment( $order, time() ) );
		assert_same( array(), sent_mails(), 'nothing is confirmed;' );
	}
);

test(
	'A signed call is answered over HTTP, with or without a session, and a call without a signature is refused',
	static function (): void {
		$order   = place_order();
		$bytes   = json_encode( array( 'order' => $order->id(), 'key' => $order->key() ) );
		$headers = array();
		foreach ( tillkit_call_headers( 'read-order', 'boutique', time(), $bytes, LINK_SECRET ) as $name => $value ) {
			$headers[] = "$name: $value";
		}
		$answer = Served_Shop::request( 'POST', front( 'call', array( 'purpose' => 'read-order' ) ), $bytes, $headers );
		assert_same( array( 200, '1' ), array( $answer['status'], json_decode( $answer['body'], true )['order']['order'] ) );
		$refused = Served_Shop::request( 'POST', front( 'call', array( 'purpose' => 'read-order' ) ), $bytes );
		assert_same( array( 401, 'tillkit_signature_invalid' ), array( $refused['status'], json_decode( $refused['body'], true )['code'] ) );
	}
);

test(
	'The call that brings the secret is answered once, and leads the owner back to the settings that they came from',
	static function (): void {
		Context::getContext()->employee = (object) array( 'id' => 7 );
		tillkit_host()->save( 'settings_url', tillkit_settings_url() );
		$form  = tillkit_pairing_form( tillkit_host()->site_address(), time() );
		$bytes = json_encode( array( 'code' => $form['fields']['code'], 'store' => 'boutique', 'checkout_server' => 'https://pay.example' ) );
		$first = Served_Shop::request( 'POST', front( 'call', array( 'purpose' => 'pair' ) ), $bytes );
		$again = Served_Shop::request( 'POST', front( 'call', array( 'purpose' => 'pair' ) ), $bytes );
		$body  = json_decode( $first['body'], true );
		assert_same( array( 200, 403 ), array( $first['status'], $again['status'] ) );
		assert_same( array( $body['link_secret'], LINK_SECRET ), tillkit_link_secrets() );
		assert_not_contains( 'token', $body['settings_url'] );
		$page = (string) strstr( $body['settings_url'], '/admin123' ) . '&tillkit_paired=yes';
		$back = location( Served_Shop::request( 'GET', $page, '', array( 'X-Employee: 7' ) ) );
		assert_contains( 'https://shop.example/admin123/index.php?controller=AdminModules&configure=tillkit&tillkit_paired=yes', $back );
		assert_contains( 'token=t0ken', $back );
		$forged = Served_Shop::request( 'POST', $page, 'action=copy', array( 'Content-Type: application/x-www-form-urlencoded', 'X-Employee: 7' ) );
		assert_same( array( 200, 'Invalid token' ), array( $forged['status'], $forged['body'] ) );
	}
);

test(
	'A maintenance page or a blocked country does not keep the checkout server out',
	static function (): void {
		$source = file_get_contents( __DIR__ . '/../tillkit/controllers/front/call.php' );
		foreach ( array( 'displayMaintenancePage', 'displayRestrictedCountryPage' ) as $method ) {
			assert_true( 1 === preg_match( "/function $method\(\): void \{\s*\}/", $source ), "$method shows nothing;" );
		}
	}
);

test(
	'The shopper who comes back is led to the shop\'s own page, and nobody else gets the customer\'s key from a link that was at the service',
	static function (): void {
		$order = place_order();
		$names = array( 'order' => $order->id(), 'key' => $order->key() );
		$waits = Served_Shop::request( 'GET', front( 'return', $names ), '', array( 'X-Customer: 7' ) );
		assert_same( array( 200, '' ), array( $waits['status'], location( $waits ) ), 'nothing is confirmed before it is paid;' );
		assert_contains( 'data-failed="yes"', $waits['body'], 'the page is made anew when the payment has arrived;' );
		mark_paid();
		$own = Served_Shop::request( 'GET', front( 'return', $names ), '', array( 'X-Customer: 7' ) );
		assert_same( 303, $own['status'] );
		assert_contains( '/order-confirmation?id_cart=1&id_module=5&id_order=1&key=key-of-customer-7', location( $own ) );
		$other = Served_Shop::request( 'GET', front( 'return', $names ), '', array( 'X-Customer: 8' ) );
		assert_same( 200, $other['status'] );
		assert_not_contains( 'key-of-customer', $other['headers'] . $other['body'] );
		assert_not_contains( 'awa', $other['body'] );
		assert_contains( 'id="tillkit-wait"', $other['body'] );
		assert_same( 302, Served_Shop::request( 'GET', front( 'return', array( 'key' => 'guessed' ) + $names ) )['status'] );
	}
);

test(
	'A shopper who cancels finds the cart again, once, and can still pay the order',
	static function (): void {
		$order = place_order();
		tillkit_restore_cart( $order );
		$restored = Context::getContext()->cart;
		assert_same( array( 1, (int) $restored->id ), array( $restored->nbProducts(), (int) Context::getContext()->cookie->id_cart ) );
		Context::getContext()->cart = null;
		tillkit_restore_cart( tillkit_fresh_order( 1 ) );
		assert_same( 2, count( rows( 'SELECT * FROM ps_cart' ) ), 'a second look restores nothing;' );
		assert_contains( 'Pay this order', module()->hookDisplayOrderDetail( array( 'order' => new Order( 1 ) ) ) );
		assert_contains( 'id="tillkit-wait"', module()->hookDisplayPaymentReturn( array( 'order' => new Order( 1 ) ) ) );
		start_request();
		sign_in( 8 );
		tillkit_restore_cart( tillkit_fresh_order( 1 ) );
		assert_same( null, Context::getContext()->cart );
	}
);

test(
	'A shopper does not lose a cart that they have begun since, and nobody gets the cart of a paid order again',
	static function (): void {
		$order = place_order();
		Context::getContext()->cart = ( new Cart( 1 ) )->duplicate()['cart'];
		tillkit_restore_cart( $order );
		Context::getContext()->cart = null;
		mark_paid();
		tillkit_restore_cart( tillkit_fresh_order( 1 ) );
		assert_same( 2, count( rows( 'SELECT * FROM ps_cart' ) ) );
	}
);

test(
	'The shopper\'s page follows the payment by the key of the order, in French too, and offers no second payment of a paid order',
	static function (): void {
		$order = place_order();
		speak( 'fr' );
		checkout_server_answers( array( 'status' => array( 200, array( 'payments' => array( array( 'state' => 'open', 'attempt' => 'failed' ) ) ) ) ) );
		$answer = tillkit_answer_status( json_encode( array( 'order' => $order->id(), 'key' => $order->key(), 'place' => 'thankyou' ) ) );
		assert_same( array( 200, 'declined' ), array( $answer['status'], $answer['body']['state'] ) );
		assert_contains( 'rien n’a été débité', $answer['body']['text'] );
		assert_same( 404, tillkit_answer_status( json_encode( array( 'order' => $order->id(), 'key' => 'guessed' ) ) )['status'] );
		mark_paid();
		$page = tillkit_notice_of_page( 1, 'pay' );
		assert_contains( 'Votre paiement est arrivé', $page );
		assert_not_contains( 'Payer cette commande', $page );
		assert_not_contains( 'wait.js', $page );
	}
);

test(
	'The payment method is offered when it is enabled, connected, and its amounts can be paid',
	static function (): void {
		$offer = static function (): int {
			return count( module()->hookPaymentOptions( array( 'cart' => new Cart( 1 ) ) ) );
		};
		assert_same( 1, $offer() );
		assert_same( array( 'Mobile money or card', '1' ), array( module()->hookPaymentOptions( array( 'cart' => new Cart( 1 ) ) )[0]->set['CallToActionText'], module()->hookPaymentOptions( array( 'cart' => new Cart( 1 ) ) )[0]->set['Inputs'][0]['value'] ) );
		Context::getContext()->currency->precision = 2;
		assert_same( 0, $offer(), 'francs with cents;' );
		Context::getContext()->currency->precision = 0;
		tillkit_host()->change_settings( array( 'enabled' => false ) );
		assert_same( 0, $offer() );
	}
);

test(
	'An owner whose page is older than the payment is sent back to the order with the reason, and nothing is written',
	static function (): void {
		place_order();
		$page = new Order( 1 );
		mark_paid();
		Context::getContext()->employee = (object) array( 'id' => 7 );
		$where = '';
		try {
			$page->setCurrentState( 6 );
		} catch ( Request_Ended $ended ) {
			$where = $ended->where;
		}
		assert_contains( 'controller=AdminOrders&id_order=1&vieworder=1', $where );
		assert_contains( 'The order has changed since this page was loaded', implode( PrestaShop\PrestaShop\Adapter\SymfonyContainer::$flashes ) );
		assert_same( 2, state_of_order() );
	}
);
