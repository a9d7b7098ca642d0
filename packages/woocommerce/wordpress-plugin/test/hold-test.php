<?php
/** The plugin puts an order on hold. The vectors are the same cases that the checkout server's own tests follow. */

foreach ( vectors( 'hold' )['cases'] as $case ) {
	test(
		"The plugin follows the hold vector: {$case['title']}",
		static function () use ( $case ): void {
			$now = vectors( 'hold' )['now'];
			if ( null !== $case['order'] ) {
				$paid = $case['order']['paid'];
				unset( $case['order']['paid'] );
				place_order( array( 'date_paid' => $paid ? $now - 100 : null ) + $case['order'] );
			}
			$request = tillkit_read_order_fields( 'hold', $case['request'] );
			if ( isset( $case['answer']['code'] ) ) {
				assert_same( null, $request );
				return;
			}
			$answer = tillkit_run_as_checkout_server(
				static function () use ( $request, $now ): array {
					return tillkit_hold( $request, $now );
				}
			);
			assert_same( array( 'outcome' => $case['answer']['outcome'], 'order' => '1042', 'status' => $case['answer']['order_status'] ), $answer );
			if ( null !== $case['order'] && 'gone' !== $answer['outcome'] ) {
				assert_same( $case['answer']['order_status'], stored_order()['status'] );
				assert_same( $case['marked'], stored_order()['meta']['_tillkit_hold'] ?? null );
			}
			assert_same( array(), Stubs::$mails );
		}
	);
}

test(
	'A signed hold call puts the order on hold and is not recorded as a decision of the owner',
	static function (): void {
		Stubs::$is_rest = true;
		place_order();
		$response = tillkit_answer_request( 'hold', signed_request( 'hold', '{"order":"1042","key":"wc_order_AbC123xyZ"}' ) );
		assert_same( array( 200, 'held' ), array( $response->status, $response->data['outcome'] ) );
		assert_same( array_keys( vectors( 'answers' )['hold'] ), array_keys( $response->data ) );
		assert_same( 'on-hold', stored_order()['status'] );
		assert_true( '' !== stored_order()['meta']['_tillkit_hold'], 'the hold meta is set;' );
		assert_same( 401, tillkit_answer_request( 'hold', signed_request( 'mark-paid', '{"order":"1042","key":"wc_order_AbC123xyZ"}' ) )->status );
	}
);
